import type { PlacedRole } from './placed-role.ts';

/** A role as far as one file defines it; layers of them make a whole role. */
export type RolePart = Partial<Omit<PlacedRole, 'name'>>;

export type RoleParts = Readonly<Record<string, RolePart>>;
