import type { RunId } from '../../core/model/ids.ts';

/**
 * A name as PostgreSQL can hold it: JSON's text of it without the quotation marks. NUL and lone surrogates, which `text` refuses,
 * are escaped there, and ordinary names stay as they are.
 */
export const storedText = (text: string): string => JSON.stringify(text).slice(1, -1);

export const textFrom = (stored: string): string => JSON.parse(`"${stored}"`) as string;

export const runFrom = (stored: string): RunId => textFrom(stored) as RunId;
