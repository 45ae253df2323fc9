import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;
import java.util.Iterator;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import skerry.v1.ActRequest;
import skerry.v1.ActResponse;
import skerry.v1.CreateSessionRequest;
import skerry.v1.Entry;
import skerry.v1.GetSessionRequest;
import skerry.v1.JoinSessionRequest;
import skerry.v1.ObserveRequest;
import skerry.v1.ObserveResponse;
import skerry.v1.Occupant;
import skerry.v1.Position;
import skerry.v1.PositionView;
import skerry.v1.SeatSetup;
import skerry.v1.SkerryServiceGrpc;

/**
 * Plays a whole game of each named game against a bot, and observes each over streams of seven entries. Prints a line
 * for each game: its id, its session and the number of entries. Arguments: the address of the service; ids of games.
 */
public final class Player {
  private static final int ENTRIES_PER_STREAM = 7;

  private final SkerryServiceGrpc.SkerryServiceBlockingStub api;
  private final String name;

  private Player(SkerryServiceGrpc.SkerryServiceBlockingStub api, String name) {
    this.api = api;
    this.name = name;
  }

  public static void main(String[] arguments) throws Exception {
    ManagedChannel channel = Grpc.newChannelBuilder(arguments[0], InsecureChannelCredentials.create()).build();
    for (int at = 1; at < arguments.length; at++) {
      Player player = join(SkerryServiceGrpc.newBlockingStub(channel).withCompression("gzip"), arguments[at]);
      player.expectDeadline();
      CompletableFuture<Long> observed = CompletableFuture.supplyAsync(player::observe);
      player.act();
      System.out.println(arguments[at] + " " + player.name + " " + observed.get());
    }
    channel.shutdown();
    require(channel.awaitTermination(10, TimeUnit.SECONDS), "the channel ends");
  }

  /** Creates a session of a game with a bot, and takes its open seat. */
  private static Player join(SkerryServiceGrpc.SkerryServiceBlockingStub api, String game) {
    CreateSessionRequest table = CreateSessionRequest.newBuilder()
        .setGame(game)
        .addSeats(SeatSetup.getDefaultInstance())
        .addSeats(SeatSetup.newBuilder().setOccupant(Occupant.OCCUPANT_BOT))
        .setRequestId(UUID.randomUUID().toString())
        .build();
    String name = api.createSession(table).getSession().getName();
    JoinSessionRequest seat = JoinSessionRequest.newBuilder()
        .setName(name)
        .setDisplayName("Ada")
        .setRequestId(UUID.randomUUID().toString())
        .build();
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        "Bearer " + api.joinSession(seat).getSeatToken());
    return new Player(api.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers)), name);
  }

  /** Makes the move in the middle of each list until the game is over. Repeats each request once. */
  private void act() {
    Position position =
        api.getSession(GetSessionRequest.newBuilder().setName(name).build()).getPosition();
    boolean tried = false;
    while (!position.hasOutcome()) {
      ActRequest request = ActRequest.newBuilder()
          .setName(name)
          .setMove(position.getLegalMoves(position.getLegalMovesCount() / 2))
          .setExpectedSequence(position.getSequence())
          .setRequestId(UUID.randomUUID().toString())
          .setView(PositionView.POSITION_VIEW_FULL)
          .build();
      ActResponse acted = api.act(request);
      require(api.act(request).getSequence() == acted.getSequence(), "a repeat returns the first response");
      position = acted.getPosition();
      if (!tried && !position.hasOutcome()) {
        tried = true;
        expectStale(request.toBuilder().setRequestId(UUID.randomUUID().toString()).build());
      }
    }
  }

  /** Observes the session to its end, with a new stream after every seven entries. Returns the number of entries. */
  private long observe() {
    long last = 0;
    while (true) {
      Context.CancellableContext streamed = Context.current().withCancellation();
      Context before = streamed.attach();
      try {
        long after = last;
        Iterator<ObserveResponse> stream = api.observe(
            ObserveRequest.newBuilder().setName(name).setAfterSequence(after).build());
        while (last < after + ENTRIES_PER_STREAM) {
          if (!stream.hasNext()) {
            return last;
          }
          for (Entry entry : stream.next().getEntriesList()) {
            require(entry.getSequence() == last + 1, "entries come in order, without gaps or repeats");
            if (++last == after + ENTRIES_PER_STREAM) {
              break;
            }
          }
        }
      } finally {
        streamed.detach(before);
        streamed.cancel(null);
      }
    }
  }

  /** Checks that a stream ends at the deadline of the client. */
  private void expectDeadline() {
    try {
      api.withDeadlineAfter(100, TimeUnit.MILLISECONDS)
          .observe(ObserveRequest.newBuilder().setName(name).build())
          .forEachRemaining(message -> {});
    } catch (StatusRuntimeException late) {
      require(late.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED, "a stream ends at its deadline: " + late);
      return;
    }
    require(false, "a stream has a deadline");
  }

  /** Checks the code and the reason of an act with a stale sequence. */
  private void expectStale(ActRequest request) {
    try {
      api.act(request);
    } catch (StatusRuntimeException stale) {
      require(stale.getStatus().getCode() == Status.Code.ABORTED, "a stale act is aborted: " + stale);
      require(reasonOf(stale).equals("STALE_SEQUENCE"), "an error has its reason");
      return;
    }
    require(false, "a stale act fails");
  }

  /** Returns the reason in the details of an error. Debian's classes of google.rpc are older than ErrorInfo. */
  private static String reasonOf(StatusRuntimeException failed) {
    for (Any detail : StatusProto.fromThrowable(failed).getDetailsList()) {
      if (detail.getTypeUrl().equals("type.googleapis.com/google.rpc.ErrorInfo")) {
        try {
          return UnknownFieldSet.parseFrom(detail.getValue()).getField(1).getLengthDelimitedList().get(0).toStringUtf8();
        } catch (InvalidProtocolBufferException malformed) {
          throw new IllegalStateException(malformed);
        }
      }
    }
    return "";
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException("not true: " + what);
    }
  }
}
