import { useQuery } from '@tanstack/react-query';
import { type AccessRole, type OperationName, roleProblem } from '../../src/protocol/operations/access.ts';
import { aboutQuery } from '../api/queries.ts';

/** What this browser may do. Until it is known everything: the server refuses what must not be. */
export function useRole(): AccessRole {
  return useQuery(aboutQuery).data?.visitor.role ?? 'admin';
}

/** Why the role does not reach for an operation; null where it does. */
export const useRoleReason = (operation: OperationName, request?: object): string | null =>
  roleProblem(useRole(), operation, request);
