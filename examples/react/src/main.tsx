import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { type api, Client, type Seat, SkerryError } from "skerry-client";
import { usePicture, usePosition } from "./hooks";

const skerry = new Client();

/** Opens the seat of this tab again after a reload, or else a seat at a new table with a bot. */
async function sitDown(): Promise<Seat> {
  const stored = await storedSeat();
  if (stored) return stored;
  const table = await skerry.create("kreta", { seats: 2, bots: 1 });
  const seat = await table.join("Ada");
  sessionStorage.setItem("seat", `${seat.name} ${seat.token}`);
  return seat;
}

/** The stored seat, unless its game is over or expired, or the host has opened the seat. */
async function storedSeat(): Promise<Seat | undefined> {
  const [name, token] = sessionStorage.getItem("seat")?.split(" ") ?? [];
  if (!name || !token) return undefined;
  try {
    const seat = await skerry.seat(name, token);
    return (await seat.session()).state === "SESSION_STATE_PLAYING" ? seat : undefined;
  } catch (error) {
    if (error instanceof SkerryError && ["SESSION_NOT_FOUND", "TOKEN_INVALID"].includes(error.reason)) return undefined;
    throw error; // without a connection, the seat may still be the player's
  }
}

function App() {
  const [seat, setSeat] = useState<Seat>();
  const [problem, setProblem] = useState("");
  const start = () => void sitDown().then(setSeat, (error) => setProblem(String(error)));
  useEffect(start, []);
  const startAnew = () => {
    sessionStorage.removeItem("seat");
    setSeat(undefined);
    setProblem("");
    start();
  };
  return (
    <>
      {seat ? <Table seat={seat} /> : <p>{problem || "…"}</p>}
      {(seat || problem) && <button onClick={startAnew}>New game</button>}
    </>
  );
}

/** The picture of a table as the seat may see it, and a button for each of its legal moves. */
function Table({ seat }: { seat: Seat }) {
  const [position, problem] = usePosition(seat);
  const picture = usePicture(seat, position);
  const [refusal, setRefusal] = useState("");
  const act = (move: api.Move) => seat.act(move).then(() => setRefusal(""), (error) => setRefusal(String(error)));
  return (
    <main>
      {picture && <img src={picture} alt="The table" style={{ maxWidth: "100%" }} />}
      <p role="status">{problem || refusal || position?.outcome?.reason || `entry ${position?.sequence ?? ""}`}</p>
      {position?.legalMoves.map((move, index) => (
        <button key={`${position.sequence} ${index}`} onClick={() => act(move)}>
          {move.text}
        </button>
      ))}
    </main>
  );
}

createRoot(document.getElementById("root")!).render(<App />);
