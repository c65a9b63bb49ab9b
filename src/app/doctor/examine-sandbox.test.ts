import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HOST_ID } from '../../sandbox/bubblewrap/drop-root.ts';
import type { FoundSandboxes } from '../../sandbox/found-level.ts';
import { testLevel } from '../../sandbox/self-test/test-level.ts';
import { knownSandbox } from '../../sandbox/testing/known-sandbox.ts';
import { sandboxFindings } from './examine-sandbox.ts';

function newScratch(): string {
  const scratch = mkdtempSync(join(tmpdir(), 'doctor-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  return scratch;
}

const isRoot = process.getuid?.() === 0;

test('[P12] doctor reports what a command in the box sees, and its user id', async (context) => {
  const found = await knownSandbox(newScratch());
  context.skip(found.levels[0]?.failures.length !== 0, 'bubblewrap does not work here');
  const [bubblewrap, landlock] = sandboxFindings(found, { wanted: 'bubblewrap', readable: ['/srv/data'] });
  expect(bubblewrap?.level).toBe('ok');
  expect(bubblewrap?.text).toContain('sees and writes only what is declared, no powers');
  expect(bubblewrap?.text).toContain('It shows /srv/data, /usr');
  expect(bubblewrap?.text.includes(`the user id ${HOST_ID}`)).toBe(isRoot);
  expect(landlock?.text.includes("commands keep root's user id")).toBe(isRoot);
});

test("[P12] doctor reports a box that keeps root's user id as an error, and says what to do", async (context) => {
  const scratch = newScratch();
  const found = await knownSandbox(scratch);
  const [first, ...others] = found.levels;
  const isUsable = isRoot && first?.failures.length === 0;
  const strongest = (isUsable ? first : undefined) ?? context.skip('not root, or bubblewrap does not work here');
  const tested = { ...(await testLevel({ ...strongest, identity: 'own' }, scratch)), identity: 'mapped' as const };
  const all: FoundSandboxes = { levels: [tested, ...others], scratch };
  const [finding] = sandboxFindings(all, { wanted: 'bubblewrap', readable: [] });
  expect(finding?.level).toBe('error');
  expect(finding?.text).toMatch(/does not work here: commands keep root's user id.*\nCommands are refused\.\n/);
  expect(finding?.text).toContain('Run Troupe as an ordinary user.');
  expect(finding?.text).toContain('--sandbox landlock');
});
