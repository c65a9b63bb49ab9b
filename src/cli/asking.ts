import { resolve } from 'node:path';
import { personName } from '../app/runs/person-name.ts';
import type { Asking } from '../app/runs/session.ts';
import { knownLevel, type DeliveryWishes, type Wishes } from '../app/runs/wishes.ts';
import { plainText } from '../protocol/plain-text.ts';
import type { Invocation } from './command-spec.ts';
import { countOption, flag, listOption, textOption } from './invocation.ts';
import { limitsFromFlags } from './session/limits.ts';

/** What this command line asks of runs. */
export function askingOf(invocation: Invocation): Asking {
  const { terminal, version } = invocation;
  return {
    caller: terminal,
    version,
    by: textOption(invocation, 'by') ?? personName(),
    wishes: wishesOf(invocation),
    tell: (sentence) => void terminal.stderr.write(`troupe: ${plainText(sentence)}\n`),
  };
}

function wishesOf(invocation: Invocation): Wishes {
  const slots = countOption(invocation, 'slots');
  const sandbox = textOption(invocation, 'sandbox');
  return {
    models: listOption(invocation, 'model'),
    actors: listOption(invocation, 'actor'),
    ...(slots === undefined ? {} : { slots }),
    ...(sandbox === undefined ? {} : { sandbox: knownLevel(sandbox) }),
    ...(invocation.options['setup'] === false ? { setup: false } : {}),
    limits: limitsFromFlags(invocation),
    delivery: deliveryOf(invocation),
  };
}

function deliveryOf(invocation: Invocation): DeliveryWishes {
  const [verify, out] = [textOption(invocation, 'verify'), textOption(invocation, 'out')];
  return {
    ...(flag(invocation, 'apply') ? { apply: true } : {}),
    ...(verify === undefined ? {} : { verify }),
    ...(flag(invocation, 'allowPartial') ? { allowsPartial: true } : {}),
    ...(flag(invocation, 'allowSteering') ? { allowsSteering: true } : {}),
    ...(out === undefined ? {} : { copyTo: resolve(invocation.terminal.folder, out) }),
  };
}
