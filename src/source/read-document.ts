import type { Problem } from '../core/model/fault.ts';
import type { Json } from '../core/model/json.ts';
import { problemIn } from './defined.ts';
import { checked, refusedSource, type Checked } from './checked.ts';
import { locatorOf, positionIn, type Locate } from './place.ts';
import { readJson } from './read-json.ts';
import { readYaml } from './read-yaml.ts';
import { MAX_SOURCE_BYTES, SourceError } from './source-error.ts';

/** A file as data, with the way back to its lines. */
export interface SourceDocument {
  readonly document: Json;
  readonly locate: Locate;
}

export interface ReadOptions {
  /** As the author knows it; its ending decides between JSON and YAML. */
  readonly file: string;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** JSON or YAML text, untrusted: read within limits or refused with a place. */
export function readDocument(source: string, options: ReadOptions): Checked<SourceDocument> {
  const text = source.startsWith(BYTE_ORDER_MARK) ? source.slice(1) : source;
  try {
    checkText(text);
    const { document, place } = isJson(text, options.file) ? readJson(text) : readYaml(text);
    return checked({ document, locate: locatorOf(text, place) }, []);
  } catch (error) {
    if (error instanceof SourceError) return refusedSource([toProblem(error, text, options.file)]);
    throw error;
  }
}

function checkText(text: string): void {
  if (text.length > MAX_SOURCE_BYTES || Buffer.byteLength(text) > MAX_SOURCE_BYTES) {
    throw new SourceError('SOURCE_TOO_LARGE', `The file is larger than ${MAX_SOURCE_BYTES} bytes.`, { offset: 0 });
  }
  const nul = text.indexOf('\0');
  if (nul !== -1) {
    throw new SourceError('SOURCE_NOT_TEXT', 'The file has a NUL character in it.', {
      offset: nul,
      hint: 'Save it as UTF-8 text; UTF-16 is not read.',
    });
  }
  if (text.trim() === '') throw new SourceError('SOURCE_EMPTY', 'The file is empty.', { offset: 0 });
}

/** A flow mapping in a YAML file also starts with a brace, so there the file's ending decides. */
function isJson(text: string, file: string): boolean {
  if (/\.json$/i.test(file)) return true;
  return !/\.ya?ml$/i.test(file) && /^\s*[{[]/.test(text);
}

function toProblem({ code, message, hint, offset }: SourceError, text: string, file: string): Problem {
  return problemIn({ file }, positionIn(text, offset), { code, message, hint });
}
