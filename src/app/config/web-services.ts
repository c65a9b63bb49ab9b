import type { ToolServices } from '../../tools/port.ts';
import type { Config } from './config.ts';

/** What the web tools work with. */
export function webServices({ webAllow, webSearch }: Config): Pick<ToolServices, 'web' | 'search'> {
  return { web: { allow: webAllow }, ...(webSearch === null ? {} : { search: webSearch }) };
}
