/** The keys of a union's cases: `kreta`, `canarias` and so on for `View`. */
export type CaseOf<Union> = Exclude<Union extends unknown ? keyof Union : never, keyof Union | "unknownKind">;

/** The value of one case of a union. */
export type CaseValue<Union, Case extends PropertyKey> = Union extends { [key in Case]: infer Held } ? Held : never;

/** A function for each case. The condition is always true; it makes the compiler resolve the union first. */
type Cases<Union, Result> = [Union] extends [object]
  ? { [Case in CaseOf<Union>]: (held: CaseValue<Union, Case>) => Result }
  : never;

/**
 * Calls the function of the case that is present, or `newer` for a case that a newer server added. The compiler requires
 * a function for every case, so it finds the places that a new kind affects.
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
