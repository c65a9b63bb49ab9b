/** The way from the top of a document to one of its values. */
export type SourcePath = readonly (string | number)[];

const PLAIN_KEY = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

/** Written as people write it: `states[2].transition[0].condition`. */
export function pathText(path: SourcePath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (!PLAIN_KEY.test(part)) text += `[${JSON.stringify(part)}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}
