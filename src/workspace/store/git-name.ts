/**
 * Names that git takes for its own folder on some system, and therefore refuses in a tree: `.git` in any case, with
 * characters that some file systems ignore, with dots or spaces behind, with a stream's name, and its short form.
 */
export function isGitName(name: string): boolean {
  const first = name.codePointAt(0) ?? 0;
  const mayBe = first === DOT || first === LOWER_G || first === UPPER_G || first > LAST_ASCII;
  if (!mayBe) return false;
  const text = Buffer.from(name, 'latin1').toString('utf8');
  const plain = text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  return /^(?:\.git|git~1)[. ]*(?::.*)?$/is.test(plain);
}

const DOT = 0x2e;
const UPPER_G = 0x47;
const LOWER_G = 0x67;
const LAST_ASCII = 0x7f;
