import type { CallOptions } from '../port.ts';
import { bringLogin, returnLogin, type LoginFile } from './login-file.ts';

/** The user's logins are where the client finds them while a turn is taken; what was refreshed meanwhile is given back. */
export async function withLogins<T>(
  logins: readonly LoginFile[],
  { title, onActivity }: { readonly title: string } & Pick<CallOptions, 'onActivity'>,
  take: () => Promise<T>,
): Promise<T> {
  for (const login of logins) await bringLogin(login);
  try {
    return await take();
  } finally {
    for (const login of logins) {
      const became = await returnLogin(login).catch(() => 'unchanged' as const);
      if (became === 'doubted' && isNews(login)) onActivity?.(doubted(title));
    }
  }
}

/** Each turn would say it again. */
const told = new Set<string>();

function isNews({ user }: LoginFile): boolean {
  const isNew = !told.has(user);
  told.add(user);
  return isNew;
}

const doubted = (title: string) =>
  ({
    id: 'notice-login',
    kind: 'notice',
    name: 'notice',
    status: 'ok',
    text:
      `The login in the sandbox of ${title} is another one than before, and nobody can tell whether it is yours: ` +
      'yours was left as it is. Where it is no longer good, log in again.',
  }) as const;
