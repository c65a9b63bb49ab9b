import { useQuery } from '@tanstack/react-query';
import { type AccessRole, type OperationName, roleProblem } from '../../src/protocol/operations/access.ts';
import { aboutQuery } from '../api/queries.ts';

/** The role of this browser. Until it is known everything is offered: the server refuses what is not allowed. */
export function useRole(): AccessRole {
  return useQuery(aboutQuery).data?.visitor.role ?? 'admin';
}

/** Why the role does not reach for an operation; null where it does. */
export const useRoleReason = (operation: OperationName, request?: object): string | null =>
  roleProblem(useRole(), operation, request);
