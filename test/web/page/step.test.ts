import { describe, expect, test } from 'vitest';
import { createSandbox, jsonLines } from '../../cli/sandbox.ts';
import { serve } from '../server/served.ts';
import { expectAccessibleInBoth, showAs, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

const CHECKED = `workflow_name: checked
inputs: [{ name: task, type: string }]
variables: { tries: 0 }
states:
  - name: start
    action: { command: { run: "'echo ready for ' + quote(common_data.task)" } }
    transition:
      - { target: check, condition: "common_data.tries === 0 && result.exitCode === 0" }
      - { target: stop }
  - name: check
    action: { command: { run: "'echo two tests fail; exit 3'" } }
    transition: [{ target: stop }]
  - { name: stop }
`;

describe.skipIf(CHROMIUM === null)('the inspector of a step', () => {
  const { open } = useBrowser();

  test(
    '[U2] a step shows what it was given and answered and why the run went on; a failed one is retried with one click',
    { timeout: 240_000 },
    async () => {
      const sandbox = createSandbox({ '.troupe/workflows/checked.yaml': CHECKED });
      const ran = await sandbox.troupe(['run', 'checked', '--input', 'task=Test it', '--no-input', '--json']);
      const run = String(jsonLines(ran.stdout)[0]?.['run']);
      const served = await serve(sandbox);
      const { page, errors } = await tab(await open(), new URL(`/runs/${run}#t=${served.token}`, served.url).href);

      await page.getByRole('button', { name: /^command start/ }).click();
      const step = page.getByRole('region', { name: 'The step' });
      const command = step.getByRole('article', { name: 'command' });
      await command.getByText("echo ready for 'Test it'").waitFor();
      await command.getByText('ready for Test it', { exact: true }).waitFor();
      const next = step.getByRole('region', { name: 'Next step' });
      await next.getByText('Next: check').waitFor();
      await next.getByText('common_data.tries', { exact: true }).waitFor();
      await next.getByText('result.exitCode', { exact: true }).waitFor();
      await expectAccessibleInBoth(page);

      await page.getByRole('button', { name: /^engine: check/ }).click();
      await step.getByText('COMMAND_FAILED').waitFor();
      await step.getByText('two tests fail', { exact: true }).waitFor();
      await showAs(page, { width: 390, height: 844 });
      await expectAccessibleInBoth(page);
      await step.getByRole('button', { name: 'Retry' }).click();
      await page.waitForURL((url) => !url.pathname.includes(run));
      const retried = new URL(page.url()).pathname.replace('/runs/', '');
      await sandbox.troupe(['watch', retried]);
      const view = JSON.parse((await sandbox.troupe(['show', retried, '--json'])).stdout) as object;
      expect(view).toMatchObject({ forkedFrom: { run }, outcome: 'failed', failure: { code: 'COMMAND_FAILED' } });
      // The outcome offers the same without a search for the step.
      await page.getByRole('region', { name: 'Outcome' }).getByRole('button', { name: 'Retry' }).waitFor();
      expect(errors).toEqual([]);
    },
  );
});
