// Plays a whole game of each named game against a bot, and observes each over streams of seven entries.
// Prints a line for each game: its id, its session and the number of entries.
// Arguments: the address of the service; the file of its certificate authority, or "" without TLS; ids of games.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	skerry "skerry.example/skerry/v1"
)

const entriesPerStream = 7

func main() {
	address, authority := os.Args[1], os.Args[2]
	security := grpc.WithInsecure()
	if authority != "" {
		fromFile, err := credentials.NewClientTLSFromFile(authority, "")
		check(err)
		security = grpc.WithTransportCredentials(fromFile)
	}
	connection, err := grpc.Dial(address, security, grpc.WithDefaultCallOptions(grpc.UseCompressor(gzip.Name)))
	check(err)
	api := skerry.NewSkerryServiceClient(connection)
	for _, game := range os.Args[3:] {
		name, entries := play(api, game)
		fmt.Println(game, name, entries)
	}
}

// Plays a game and observes it at the same time. Returns its session and the number of entries observed.
func play(api skerry.SkerryServiceClient, game string) (string, int64) {
	ctx := context.Background()
	seats := []*skerry.SeatSetup{{}, {Occupant: skerry.Occupant_OCCUPANT_BOT}}
	created, err := api.CreateSession(ctx, &skerry.CreateSessionRequest{Game: game, Seats: seats, RequestId: uuid()})
	check(err)
	name := created.GetSession().GetName()
	joined, err := api.JoinSession(ctx, &skerry.JoinSessionRequest{Name: name, DisplayName: "Ada", RequestId: uuid()})
	check(err)
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+joined.GetSeatToken())
	expectDeadline(ctx, api, name)

	observed := make(chan int64)
	go func() { observed <- observe(ctx, api, name) }()
	act(ctx, api, name)
	return name, <-observed
}

// Makes the move in the middle of each list until the game is over. Repeats each request once.
func act(ctx context.Context, api skerry.SkerryServiceClient, name string) {
	looked, err := api.GetSession(ctx, &skerry.GetSessionRequest{Name: name})
	check(err)
	position, stale := looked.GetPosition(), (*skerry.ActRequest)(nil)
	for position.GetOutcome() == nil {
		moves := position.GetLegalMoves()
		request := &skerry.ActRequest{
			Name: name, Move: moves[len(moves)/2], ExpectedSequence: position.GetSequence(), RequestId: uuid(),
			View: skerry.PositionView_POSITION_VIEW_FULL,
		}
		acted, err := api.Act(ctx, request)
		check(err)
		repeated, err := api.Act(ctx, request)
		check(err)
		require(repeated.GetSequence() == acted.GetSequence(), "a repeat returns the first response")
		if stale == nil && acted.GetPosition().GetOutcome() == nil {
			stale = request
			stale.RequestId = uuid()
			_, err = api.Act(ctx, stale)
			expectReason(err, codes.Aborted, "STALE_SEQUENCE")
		}
		position = acted.GetPosition()
	}
}

// Observes a session to its end, with a new stream after every seven entries. Returns the number of entries.
func observe(ctx context.Context, api skerry.SkerryServiceClient, name string) (last int64) {
	for {
		streamed, cancel := context.WithCancel(ctx)
		after := last
		stream, err := api.Observe(streamed, &skerry.ObserveRequest{Name: name, AfterSequence: &after})
		check(err)
		for last < after+entriesPerStream {
			message, err := stream.Recv()
			if err == io.EOF {
				cancel()
				return last
			}
			check(err)
			for _, entry := range message.GetEntries() {
				require(entry.GetSequence() == last+1, "entries come in order, without gaps or repeats")
				if last++; last == after+entriesPerStream {
					break
				}
			}
		}
		cancel()
	}
}

// Checks that a stream ends at the deadline of the client.
func expectDeadline(ctx context.Context, api skerry.SkerryServiceClient, name string) {
	limited, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	stream, err := api.Observe(limited, &skerry.ObserveRequest{Name: name})
	for err == nil {
		_, err = stream.Recv()
	}
	require(status.Code(err) == codes.DeadlineExceeded, fmt.Sprint("a stream ends at its deadline: ", err))
}

// Checks the code and the reason of an error.
func expectReason(err error, code codes.Code, reason string) {
	failed := status.Convert(err)
	require(failed.Code() == code, fmt.Sprint(err))
	for _, detail := range failed.Details() {
		if info, is := detail.(*errdetails.ErrorInfo); is && info.GetReason() == reason {
			return
		}
	}
	log.Fatal("no reason ", reason, " in ", failed.Details())
}

// Returns a random UUID of version 4.
func uuid() string {
	var id [16]byte
	_, err := rand.Read(id[:])
	check(err)
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

func require(holds bool, what string) {
	if !holds {
		log.Fatal("not true: ", what)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
