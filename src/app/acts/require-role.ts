import { Fault } from '../../core/model/fault.ts';
import { type AccessRole, type OperationName, roleProblem } from '../../protocol/operations/access.ts';

/** ROLE_NEEDED where the role does not reach for the operation, or for what the request asks of it. */
export function requireRole(role: AccessRole, operation: OperationName, request: object = {}): void {
  const problem = roleProblem(role, operation, request);
  if (problem !== null) throw roleNeeded(problem);
}

export const roleNeeded = (problem: string): Fault =>
  new Fault('ROLE_NEEDED', problem, {
    hint: 'Ask the administrator of this server for a token with that role: troupe token new NAME --role ROLE',
  });
