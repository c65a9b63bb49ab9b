import { spawn, type ChildProcess } from 'node:child_process';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Figures = Readonly<Record<string, unknown>>;

const ROOT = new URL('..', import.meta.url);
const LONGEST_MS = 900_000;

/** Runs a job in a process of its own, in production mode, and returns the figures of its last line. */
export async function runJob<T extends object = Record<string, number>>(file: string, settings: Figures): Promise<T> {
  const { child, output } = startJob(file, settings);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const { text, errors } = output();
  const last = text.trim().split('\n').at(-1) ?? '';
  if (code !== 0 || !last.startsWith('{')) throw new Error(`${file} ended with ${code}: ${errors.slice(-2000)}`);
  return JSON.parse(last) as T;
}

/** Runs a job until it has reported, then kills it without warning. */
export async function runAndKill(file: string, settings: Figures): Promise<void> {
  const { stop } = await serveJob(file, settings);
  await stop();
}

/** A job that stays: its figures, and how to end it. */
export async function serveJob(
  file: string,
  settings: Figures,
): Promise<{ readonly figures: unknown; readonly stop: () => Promise<void> }> {
  const { child, output } = startJob(file, settings);
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const line = await firstReport(file, { child, output }, ended);
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { figures: JSON.parse(line), stop };
}

async function firstReport(file: string, { child, output }: Started, ended: Promise<void>): Promise<string> {
  const find = (): string | undefined => /^\{.*\}$/m.exec(output().text)?.[0];
  const reported = new Promise<void>((resolve) => {
    child.stdout?.on('data', () => find() !== undefined && resolve());
  });
  await Promise.race([reported, ended]);
  const line = find();
  if (line === undefined) throw new Error(`${file} ended by itself: ${output().errors.slice(-2000)}`);
  return line;
}

function startJob(file: string, settings: Figures): Started {
  const path = isAbsolute(file) ? file : fileURLToPath(new URL(file, ROOT));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', path, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', MASTRA_TELEMETRY_DISABLED: '1', LANGSMITH_TRACING: 'false' },
    timeout: LONGEST_MS,
  });
  let text = '';
  let errors = '';
  child.stdout.on('data', (piece: Buffer) => (text += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (errors += piece.toString()));
  return { child, output: () => ({ text, errors }) };
}

interface Started {
  readonly child: ChildProcess;
  readonly output: () => { readonly text: string; readonly errors: string };
}
