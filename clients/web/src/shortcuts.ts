/** Key names, and the id of what the keys do. */
export type Shortcuts = readonly (readonly [readonly string[], string])[];
