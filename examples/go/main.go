// Ada plays a whole game of Kreta against a bot, always the first legal move, while a stream prints the events.
// Argument: the address of the service, 127.0.0.1:50051 by default.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	skerry "skerry.example/skerry/v1"
)

func main() {
	address := "127.0.0.1:50051"
	if len(os.Args) > 1 {
		address = os.Args[1]
	}
	connection, err := grpc.Dial(address, grpc.WithInsecure())
	check(err)
	defer connection.Close()
	api, ctx := skerry.NewSkerryServiceClient(connection), context.Background()

	seats := []*skerry.SeatSetup{{}, {Occupant: skerry.Occupant_OCCUPANT_BOT}}
	table, err := api.CreateSession(ctx, &skerry.CreateSessionRequest{Game: "kreta", Seats: seats})
	check(err)
	name := table.GetSession().GetName()
	ada, err := api.JoinSession(ctx, &skerry.JoinSessionRequest{Name: name, DisplayName: "Ada"})
	check(err)
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+ada.GetSeatToken())

	watched := make(chan struct{})
	go func() {
		defer close(watched)
		watch(ctx, api, name)
	}()
	play(ctx, api, name)
	<-watched
	over, err := api.GetSession(ctx, &skerry.GetSessionRequest{Name: name})
	check(err)
	fmt.Println("scores:", over.GetSession().GetOutcome().GetScores())
}

// Makes the first legal move until the game is over. The service answers when the bot has moved, too.
func play(ctx context.Context, api skerry.SkerryServiceClient, name string) {
	look, err := api.GetSession(ctx, &skerry.GetSessionRequest{Name: name})
	check(err)
	for position := look.GetPosition(); position.GetOutcome() == nil; {
		acted, err := api.Act(ctx, &skerry.ActRequest{
			Name:             name,
			Move:             position.GetLegalMoves()[0],
			ExpectedSequence: position.GetSequence(),
			View:             skerry.PositionView_POSITION_VIEW_FULL,
		})
		check(err)
		position = acted.GetPosition()
	}
}

// Prints the events of a session until its stream ends, which is when the game is over.
func watch(ctx context.Context, api skerry.SkerryServiceClient, name string) {
	stream, err := api.Observe(ctx, &skerry.ObserveRequest{Name: name})
	check(err)
	for {
		message, err := stream.Recv()
		if err == io.EOF {
			return
		}
		check(err)
		for _, entry := range message.GetEntries() {
			switch kind := entry.GetKind().(type) { // a oneof is an interface with a type for each case
			case *skerry.Entry_Moved:
				for _, event := range kind.Moved.GetEvents() {
					fmt.Println(event.GetText())
				}
			}
		}
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err) // status.Convert(err).Details() has the google.rpc.ErrorInfo with the reason
	}
}
