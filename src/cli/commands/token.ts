import { Fault } from '../../core/model/fault.ts';
import { tokenFiles } from '../../app/tokens/token-files.ts';
import type { KeptToken } from '../../app/tokens/token-store.ts';
import { isExpired, issueToken, revokeToken } from '../../app/tokens/tokens.ts';
import { storeHome } from '../../app/world/store.ts';
import { TOKENS } from '../../protocol/operations/tokens.ts';
import { whole } from '../../protocol/whole-list.ts';
import { ageOption, cliRequest, countOption, type Invocation, textOption, word } from '../invocation.ts';
import { table } from '../terminal/table.ts';
import { printAnswer, printDone, printNote } from '../terminal/terminal.ts';

/** `troupe token`: who may use this machine's `serve --listen`. */
export async function tokenCommand(invocation: Invocation): Promise<void> {
  const action = word(invocation, 0) ?? '';
  switch (action) {
    case 'new':
      return await newToken(invocation);
    case 'list':
      return await listTokens(invocation);
    case 'revoke':
      return await revoke(invocation);
    default:
      throw new Fault('USAGE', `"${action}" is not an action on tokens.`, {
        hint: 'As in: troupe token new NAME --role viewer, troupe token list, troupe token revoke NAME',
      });
  }
}

const storeOf = ({ terminal }: Invocation) => tokenFiles(storeHome(terminal));

async function newToken(invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const role = textOption(invocation, 'role');
  if (role === undefined)
    throw new Fault('USAGE', 'A token needs a role.', {
      hint: 'viewer looks, operator also starts and steers runs, admin may do everything: --role viewer|operator|admin',
    });
  const request = cliRequest(TOKENS.tokenNew.request, {
    name: nameIn(invocation),
    role,
    expiresMs: ageOption(invocation, 'expires'),
    perMinute: countOption(invocation, 'perMinute'),
    streams: countOption(invocation, 'streams'),
  });
  const { token, kept } = await issueToken(storeOf(invocation), request);
  printAnswer(terminal, { kind: 'token.new', ...shown(kept), token }, () => token);
  if (terminal.mode.json) return;
  printNote(terminal, `This is shown once: give it to ${kept.name} over a private channel.`);
}

async function listTokens(invocation: Invocation): Promise<void> {
  const tokens = await storeOf(invocation).list();
  const items = tokens.map((token) => ({ ...shown(token), isExpired: isExpired(token) }));
  printAnswer(invocation.terminal, { kind: 'tokens', ...whole(items) }, () =>
    items.length === 0
      ? 'There are no tokens. Make one with: troupe token new NAME --role viewer|operator|admin'
      : table([
          ['name', 'role', 'made', 'expires'],
          ...items.map(({ name, role, createdAt, expiresAt, isExpired: isOver }) => [
            name,
            role,
            day(createdAt),
            expiresAt === null ? 'never' : `${day(expiresAt)}${isOver ? ' (expired)' : ''}`,
          ]),
        ]),
  );
}

async function revoke(invocation: Invocation): Promise<void> {
  const { name } = cliRequest(TOKENS.tokenRevoke.request, { name: nameIn(invocation) });
  await revokeToken(storeOf(invocation), name);
  printDone(invocation.terminal, { kind: 'token.revoked', name }, `${name} is locked out within a second.`);
}

function nameIn(invocation: Invocation): string {
  const name = word(invocation, 1);
  if (name !== undefined) return name;
  throw new Fault('USAGE', 'Which token?', { hint: 'Its name comes last, as in: troupe token new anna --role viewer' });
}

/** Without the hash, which stays secret. */
const shown = ({ hash: _hash, ...token }: KeptToken): Omit<KeptToken, 'hash'> => token;

const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
