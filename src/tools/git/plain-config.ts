/**
 * A configuration of our own for a repository that an agent could write: of its settings only those that say how bytes and
 * names are compared, with values from a short list. Nothing else is even copied, so there is nothing to switch off.
 */
export function plainConfig(text: string): string {
  const found = new Map(settingsIn(text));
  const format = found.get('extensions.objectformat') === 'sha256' ? 'sha256' : 'sha1';
  if (found.has('extensions.refstorage') && found.get('extensions.refstorage') !== 'files') {
    throw new Error('The repository keeps its branches in a form that is not read here (extensions.refStorage).');
  }
  const kept = [...found].filter(([name, value]) => PLAIN_NAMES.test(name) && PLAIN_VALUES.test(value));
  const core = kept.map(([name, value]) => `\t${name.slice('core.'.length)} = ${value}\n`).join('');
  const version = format === 'sha1' ? 0 : 1;
  return `[core]\n\trepositoryformatversion = ${version}\n\tbare = false\n${core}${format === 'sha1' ? '' : '[extensions]\n\tobjectformat = sha256\n'}`;
}

const PLAIN_NAMES = /^core\.(?:autocrlf|eol|filemode|ignorecase|symlinks|precomposeunicode)$/;
const PLAIN_VALUES = /^(?:true|false|input|lf|crlf|native)$/;

/** Only the simplest form of the format is understood; what is written otherwise does not count. */
function settingsIn(text: string): readonly (readonly [string, string])[] {
  let section = '';
  return text.split('\n').flatMap((line) => {
    const head = /^\s*\[\s*([a-z]+)\s*\]\s*$/i.exec(line)?.[1];
    if (head !== undefined || line.trimStart().startsWith('[')) section = head?.toLowerCase() ?? '';
    const [, name, value] = /^\s*([a-z]+)\s*=\s*([a-z0-9]+)\s*$/.exec(line.toLowerCase()) ?? [];
    return name === undefined || value === undefined ? [] : [[`${section}.${name}`, value] as const];
  });
}
