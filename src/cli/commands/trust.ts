import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import type { Trust, TrustOptions } from '../../workspace/trust.ts';
import { flag, type Invocation, word } from '../invocation.ts';
import { openProject, projectRoot } from '../../app/config/project.ts';
import { EXIT } from '../exit-code.ts';
import { confirm } from '../files/confirm.ts';
import { storeHome } from '../../app/world/store.ts';
import { counted } from '../../protocol/amounts.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { printAnswer } from '../terminal/terminal.ts';

/** `troupe trust`: the project's own code may run and its settings may act, exactly as they are now. Any change asks again. */
export async function trustCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const folder = existingFolder(resolve(terminal.folder, word(invocation, 0) ?? '.'));
  const { trustProject, trustState, untrustProject } = await import('../../workspace/trust.ts');
  const project = projectRoot(folder);
  const home = storeHome(terminal);
  if (flag(invocation, 'revoke')) {
    const { state: before } = await trustState({ home, project });
    const trust = await untrustProject({ home, project });
    printTrust(invocation, project, { trust, lines: revokedLines(project, before) });
    return EXIT.ok;
  }
  // Settings that cannot be read cannot be agreed to either.
  const { powers } = await openProject({ ...terminal, folder });
  const asked = { home, project, powers };
  const trust = await trustState(asked);
  const isMore = trust.state !== 'trusted' && trust.files.length + powers.length > 0;
  if (isMore && !(await isAgreed(invocation, asked, trust))) return EXIT.failed;
  const agreed = await trustProject(asked, trust);
  printTrust(invocation, project, { trust: agreed, lines: trustLines(project, agreed) });
  if (agreed.state === 'trusted') return EXIT.ok;
  terminal.stderr.write('It has changed while you were asked: see troupe trust again.\n');
  return EXIT.failed;
}

function existingFolder(folder: string): string {
  if (existsSync(folder)) return folder;
  throw new Fault('PROJECT_MISSING', `There is no project folder ${folder}.`);
}

/** What is agreed to stands above the question. */
async function isAgreed(invocation: Invocation, { project }: TrustOptions, trust: Trust): Promise<boolean> {
  if (flag(invocation, 'yes')) return true;
  const since = trust.state === 'changed' ? ' (it has changed since you trusted it)' : '';
  const lines = [...powerLines(trust), ...trust.files.flatMap((file) => codeLines(project, file))];
  invocation.terminal.stderr.write(`${project}${since}\n${lines.join('\n')}\n`);
  if (await confirm(invocation.terminal, 'Do you know who wrote this, and may it?')) return true;
  invocation.terminal.stderr.write('Nothing was changed.\n');
  return false;
}

function printTrust({ terminal }: Invocation, project: string, { trust, lines }: ShownTrust): void {
  printAnswer(terminal, { kind: 'trust', project, ...trust }, () => lines.join('\n'));
}

interface ShownTrust {
  readonly trust: Trust;
  readonly lines: readonly string[];
}

function trustLines(project: string, trust: Trust): readonly string[] {
  const lines = [...powerLines(trust), ...trust.files.map(codeTitle)];
  const nothing = '  (there is nothing to allow yet; what is added later asks again)';
  return [`${trust.state}: ${project}`, ...(lines.length === 0 ? [nothing] : lines)];
}

/** What was allowed is not listed: it is not known any more, and nothing of it counts. */
const revokedLines = (project: string, before: Trust['state']): readonly string[] =>
  before === 'untrusted'
    ? [`not trusted: ${project}`, '  (it was not before either, so nothing was changed)']
    : [
        `no longer trusted: ${project}`,
        '  Its code does not run and its settings do not act until you say so again: troupe trust',
      ];

const powerLines = ({ powers }: Trust): readonly string[] =>
  powers.map(({ setting, does }) => `  ${plainText(setting)} ${plainText(does)}`);

const codeTitle = (file: string): string => `  code: ${plainText(file)}`;

const MOST_LINES = 40;
const LONGEST_LINE = 200;

/** A file as the user is asked about it: its beginning, and how much more there is. */
function codeLines(project: string, file: string): readonly string[] {
  const path = resolve(project, file);
  // A name that is not text is shown in another way than it is written.
  if (!existsSync(path)) return [codeTitle(file)];
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const more = lines.length - MOST_LINES;
  return [
    codeTitle(file),
    ...lines.slice(0, MOST_LINES).map((line) => `    | ${cutLine(line)}`),
    ...(more > 0 ? [`    (${counted(more, 'more line')})`] : []),
  ];
}

/** What is cut off is announced: code may stand behind many spaces. */
function cutLine(line: string): string {
  const more = line.length - LONGEST_LINE;
  const mark = more > 0 ? `… (${counted(more, 'more character')})` : '';
  return `${plainText(line.slice(0, LONGEST_LINE))}${mark}`;
}
