/** No person has asked for, discarded or archived anything of the run yet. */
export const UNDECIDED = { asking: null, discardedBy: null, archivedBy: null } as const;
