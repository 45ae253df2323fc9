import type { api } from "skerry-client";
import { expect, it } from "vitest";
import { count, type Flight, flightsOf } from "../src/table/flights.js";
import type { Step } from "../src/table/playback.js";

const STEP = { sequence: 7, events: 2 } as Step;

function event(...gains: [seat: number, points: number][]): api.Event {
  return { text: "", effect: { touched: ["fort"], gains: gains.map(([seat, points]) => ({ seat, points, source: "Forts" })) } };
}

/** Returns the points that the score does not show yet, after each part has been added. */
function counted(flight: Flight): number[] {
  const left: number[] = [];
  for (let flights: readonly Flight[] = [flight]; flights.length; flights = count(flights, flight.key)) left.push(flights[0]!.left);
  return left;
}

it("an event has a flight for each seat whose points change, side by side", () => {
  const flights = flightsOf(STEP, event([0, -2], [1, 3], [0, 7], [2, 4], [2, -4]));
  expect(flights.map(({ seat, points, left, aside }) => [seat, points, left, aside])).toEqual([
    [0, 5, 5, -0.5],
    [1, 3, 3, 0.5],
  ]);
  expect(flights[0]!.touched).toEqual(["fort"]);
  expect(flightsOf(STEP, { text: "" })).toEqual([]);
});

it.each([
  [1, [1]],
  [3, [3, 2, 1]],
  [12, [12, 9, 6, 3]],
  [-6, [-6, -4, -2]],
])("%i points count in at most five parts", (points, left) => {
  expect(counted(flightsOf(STEP, event([0, points]))[0]!)).toEqual(left);
});

it("counting one flight leaves the others", () => {
  const [first, second] = flightsOf(STEP, event([0, 1], [1, 1]));
  expect(count([first!, second!], first!.key)).toEqual([second]);
});
