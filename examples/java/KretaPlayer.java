import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import skerry.v1.ActRequest;
import skerry.v1.CreateSessionRequest;
import skerry.v1.Entry;
import skerry.v1.Event;
import skerry.v1.GetSessionRequest;
import skerry.v1.JoinSessionRequest;
import skerry.v1.ObserveRequest;
import skerry.v1.Occupant;
import skerry.v1.Position;
import skerry.v1.PositionView;
import skerry.v1.SeatSetup;
import skerry.v1.SkerryServiceGrpc;
import skerry.v1.SkerryServiceGrpc.SkerryServiceBlockingStub;

/**
 * Ada plays a whole game of Kreta against a bot, always the first legal move, while a stream prints the events.
 * Argument: the address of the service, 127.0.0.1:50051 by default.
 */
public final class KretaPlayer {
  private KretaPlayer() {}

  public static void main(String[] arguments) throws InterruptedException {
    String address = arguments.length > 0 ? arguments[0] : "127.0.0.1:50051";
    ManagedChannel channel = Grpc.newChannelBuilder(address, InsecureChannelCredentials.create()).build();
    try {
      SkerryServiceBlockingStub anyone = SkerryServiceGrpc.newBlockingStub(channel);
      String name = anyone.createSession(CreateSessionRequest.newBuilder()
          .setGame("kreta")
          .addSeats(SeatSetup.getDefaultInstance())
          .addSeats(SeatSetup.newBuilder().setOccupant(Occupant.OCCUPANT_BOT))
          .build()).getSession().getName();
      String token = anyone.joinSession(
          JoinSessionRequest.newBuilder().setName(name).setDisplayName("Ada").build()).getSeatToken();
      Metadata headers = new Metadata();
      headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
      SkerryServiceBlockingStub ada = anyone.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));

      CompletableFuture<Void> watched = CompletableFuture.runAsync(() -> watch(ada, name));
      play(ada, name);
      watched.join();
      System.out.println("scores: " + look(ada, name).getOutcome().getScoresList());
    } finally {
      channel.shutdown().awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  /** Makes the first legal move until the game is over. The service answers when the bot has moved, too. */
  private static void play(SkerryServiceBlockingStub ada, String name) {
    Position position = look(ada, name);
    while (!position.hasOutcome()) {
      position = ada.act(ActRequest.newBuilder()
          .setName(name)
          .setMove(position.getLegalMoves(0))
          .setExpectedSequence(position.getSequence())
          .setView(PositionView.POSITION_VIEW_FULL)
          .build()).getPosition();
    }
  }

  private static Position look(SkerryServiceBlockingStub ada, String name) {
    return ada.getSession(GetSessionRequest.newBuilder().setName(name).build()).getPosition();
  }

  /** Prints the events of a session until its stream ends, which is when the game is over. */
  private static void watch(SkerryServiceBlockingStub ada, String name) {
    ada.observe(ObserveRequest.newBuilder().setName(name).build()).forEachRemaining(message -> {
      for (Entry entry : message.getEntriesList()) {
        for (Event event : entry.getMoved().getEventsList()) {
          System.out.println(event.getText());
        }
      }
    });
  }
}
