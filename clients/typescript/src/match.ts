/** The keys that tell the cases of a union apart: `kreta`, `canarias` and so on of a `View`. */
export type CaseOf<Union> = Exclude<Union extends unknown ? keyof Union : never, keyof Union | "unknownKind">;

/** What one case of a union holds. */
export type HeldBy<Union, Case extends PropertyKey> = Union extends { [key in Case]: infer Held } ? Held : never;

/** What is to be done for each case. The condition is always true: the compiler then looks at a union that it knows. */
type Cases<Union, Result> = [Union] extends [object]
  ? { [Case in CaseOf<Union>]: (held: HeldBy<Union, Case>) => Result }
  : never;

/**
 * Does what is to be done for the case that is there, and `newer` for one of a newer server. The compiler asks for
 * every case, so it names the places that a new kind concerns.
 *
 *     match(entry, { moved: ({ events }) => events.length, …: … }, () => 0)
 */
export function match<Union extends object, Result>(
  union: Union,
  cases: Cases<Union, Result>,
  newer: (union: Union) => Result,
): Result {
  for (const [name, visit] of Object.entries<(held: never) => Result>(cases)) {
    if (name in union) return visit(union[name as keyof Union] as never);
  }
  return newer(union);
}
