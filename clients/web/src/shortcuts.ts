/** Key names, and what the keys do. */
export type Shortcuts = readonly (readonly [readonly string[], string])[];
