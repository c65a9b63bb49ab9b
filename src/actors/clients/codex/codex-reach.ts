import type { ClientOrder } from '../../client-port.ts';
import { reachOf, type Reach } from '../network/reach.ts';
import { baseUrl } from './codex-environment.ts';
import type { ModelSettings } from './user-settings.ts';

/** The vendor's: the model by key or by login, and where a login is refreshed. */
export const CODEX_HOSTS: Reach = ['api.openai.com:443', 'chatgpt.com:443', 'auth.openai.com:443'];

/** The user's own settings may name several providers: which of them is used, the client decides. */
export function codexReach(environment: NodeJS.ProcessEnv, order: ClientOrder, wish: CodexReachWish): Reach {
  const url = baseUrl(environment);
  if (url !== null) return reachOf(order, { addresses: [url], hosts: wish.hosts });
  return reachOf(order, { addresses: addressesIn(wish.settings), hosts: [...CODEX_HOSTS, ...wish.hosts] });
}

interface CodexReachWish {
  readonly settings: Pick<ModelSettings, 'top' | 'tables'>;
  readonly hosts: Reach;
}

function addressesIn({ top, tables }: CodexReachWish['settings']): readonly string[] {
  const found = `${top}\n${tables}`.matchAll(/^\s*(?:openai_)?base_url\s*=\s*["']([^"']+)["']/gm);
  return [...found].map((match) => match[1] ?? '');
}
