import { whole } from '../../protocol/whole-list.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { flag } from '../invocation.ts';
import { examine } from '../../app/doctor/examine.ts';
import type { DoctorFinding } from '../../app/doctor/finding.ts';
import { repairCommand } from './repair.ts';
import { paintFor, type Style } from '../terminal/colour.ts';
import { plainText } from '../../protocol/plain-text.ts';

const STYLES: Readonly<Record<DoctorFinding['level'], Style>> = {
  ok: 'green',
  absent: 'dim',
  warning: 'yellow',
  error: 'red',
};

/** `troupe doctor`: looks at everything, changes nothing of yours, calls no model. Only `--repair` writes. */
export async function doctorCommand(invocation: Invocation): Promise<number> {
  if (flag(invocation, 'repair')) return await repairCommand(invocation);
  const { terminal, version } = invocation;
  const findings = await examine(terminal, version);
  if (flag(invocation, 'json')) terminal.stdout.write(`${JSON.stringify({ kind: 'findings', ...whole(findings) })}\n`);
  else {
    const paint = paintFor(terminal.stdout, terminal.environment);
    for (const { level, about, text } of findings) {
      terminal.stdout.write(`${paint(STYLES[level], level.padEnd(8))} ${about.padEnd(10)} ${plainText(text)}\n`);
    }
  }
  return findings.some((finding) => finding.level === 'error') ? EXIT.failed : EXIT.ok;
}
