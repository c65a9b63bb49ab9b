import { resolve } from 'node:path';
import { personName } from '../app/runs/person-name.ts';
import type { Asking } from '../app/runs/session.ts';
import { knownLevel } from '../app/config/sandbox-level.ts';
import type { DeliveryWishes, LimitWishes, Wishes } from '../protocol/operations/wishes.ts';
import { amountOption, countOption, flag, type Invocation, listOption, textOption } from './invocation.ts';
import { noteTo } from './terminal/terminal.ts';

/** The caller and terms of this command line. */
export function askingOf(invocation: Invocation): Asking {
  const { terminal, version } = invocation;
  return {
    caller: terminal,
    version,
    by: textOption(invocation, 'by') ?? personName(),
    wishes: wishesOf(invocation),
    via: terminal.stdin.isTTY === true ? 'terminal' : 'script',
    tell: noteTo(terminal),
  };
}

function wishesOf(invocation: Invocation): Wishes {
  const slots = countOption(invocation, 'slots');
  const sandbox = textOption(invocation, 'sandbox');
  return {
    models: listOption(invocation, 'model'),
    actors: listOption(invocation, 'actor'),
    ...(slots === undefined ? {} : { slots }),
    ...queueingOf(invocation),
    ...(sandbox === undefined ? {} : { sandbox: knownLevel(sandbox) }),
    ...(invocation.options['setup'] === false ? { setup: false } : {}),
    limits: limitsOf(invocation),
    deliver: deliveryOf(invocation),
  };
}

/** Where workers drive the run. */
function queueingOf(invocation: Invocation): Pick<Wishes, 'labels' | 'priority'> {
  const labels = listOption(invocation, 'labels');
  const priority = countOption(invocation, 'priority', 1);
  return { ...(labels.length === 0 ? {} : { labels }), ...(priority === undefined ? {} : { priority }) };
}

function limitsOf(invocation: Invocation): LimitWishes {
  const given = {
    usd: amountOption(invocation, 'maxUsd', 'zero'),
    tokens: countOption(invocation, 'maxTokens'),
    duration: amountOption(invocation, 'maxDuration', 'above zero'),
    iterations: countOption(invocation, 'maxIterations'),
    toolRounds: countOption(invocation, 'maxToolRounds'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function deliveryOf(invocation: Invocation): DeliveryWishes {
  const [verify, out] = [textOption(invocation, 'verify'), textOption(invocation, 'out')];
  return {
    ...(flag(invocation, 'apply') ? { to: 'apply' } : {}),
    ...(verify === undefined ? {} : { verify }),
    ...(flag(invocation, 'allowPartial') ? { allowsPartial: true } : {}),
    ...(flag(invocation, 'allowSteering') ? { allowsSteering: true } : {}),
    ...(out === undefined ? {} : { copyTo: resolve(invocation.terminal.folder, out) }),
  };
}
