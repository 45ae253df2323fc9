// Plays a whole game of Kreta with random moves on both seats, while a spectator prints what happens.
import { Client } from "skerry-client";

const skerry = new Client(process.env["SKERRY_HTTP"]); // the default is http://127.0.0.1:8080
const table = await skerry.create("kreta", { seats: 2 });

async function watch(): Promise<void> {
  for await (const { entries } of table.observe({ afterSequence: 0 })) {
    for (const entry of entries) if ("moved" in entry) for (const { text } of entry.moved.events) console.log(text);
  }
}

async function play(name: string): Promise<void> {
  const seat = await table.join(name);
  for await (const { legalMoves } of seat.turns()) {
    const move = legalMoves[Math.floor(Math.random() * legalMoves.length)];
    if (move) await seat.act(move);
  }
}

await Promise.all([watch(), play("Ada"), play("Bob")]);
const { outcome } = await table.session();
console.log(outcome?.reason, ...(outcome?.scores ?? []));
