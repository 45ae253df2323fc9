/** The keys of a union's cases: `kreta`, `canarias` and so on for `View`. */
export type CaseOf<Union> = Exclude<Union extends unknown ? keyof Union : never, keyof Union | "unknownKind">;

/** The value of one case of a union. */
export type CaseValue<Union, Case extends PropertyKey> = Union extends { [key in Case]: infer Held } ? Held : never;

/** A function for each case. The condition is always true; it makes the compiler resolve the union first. */
type Cases<Union> = [Union] extends [object]
  ? { [Case in CaseOf<Union>]: (held: CaseValue<Union, Case>) => unknown }
  : never;

/** No argument, or a missing one if there is a function for a case that the union does not have: the call is an error. */
type NoOther<Visits, Union> = [Exclude<keyof Visits, CaseOf<Union>>] extends [never] ? [] : [unknownCase: never];

/** The results of these functions. */
type Results<Visits> = Visits[keyof Visits] extends infer Visit ? (Visit extends (held: never) => infer Result ? Result : never) : never;

/**
 * Calls the function of the case that is present, or `newer` for a case that a newer server added. Returns its result: the
 * type is the union of the results of all functions. The compiler requires a function for every case, so it finds the places
 * that a new kind affects.
 *
 *     match(entry, { moved: ({ events }) => events.length, …: … }, () => 0)
 */
export function match<Union extends object, Visits, Newer>(
  union: Union,
  cases: Cases<Union> & Visits,
  newer: (union: Union) => Newer,
  ..._: NoOther<Visits, Union>
): Results<Visits> | Newer {
  for (const [name, visit] of Object.entries(cases as Record<string, (held: never) => Results<Visits>>)) {
    if (name in union) return visit(union[name as keyof Union] as never);
  }
  return newer(union);
}
