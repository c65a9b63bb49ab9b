import { createHash } from 'node:crypto';
import type { PermissionReply, PermissionRequest } from '../../../actors/port.ts';
import type { EffectContext } from '../../world.ts';

/** The same request has the same id, so that a person's answer holds when the turn is repeated. */
export async function clientPermission(
  context: EffectContext,
  { tool, input }: PermissionRequest,
): Promise<PermissionReply> {
  const id = `ask-${createHash('sha256')
    .update(JSON.stringify([tool, input]))
    .digest('hex')
    .slice(0, 12)}`;
  const isAllowed = await context.askPermission({ id, name: tool, arguments: input });
  return isAllowed ? { isAllowed } : { isAllowed, message: 'A person did not allow this. Continue without it.' };
}
