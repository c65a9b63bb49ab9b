import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export type Figures = Readonly<Record<string, unknown>>;

const ROOT = new URL('..', import.meta.url);
const LONGEST_MS = 600_000;

/** Runs a job in a process of its own, in production mode, and returns the figures of its last line. */
export async function runJob<T extends object = Record<string, number>>(file: string, settings: Figures): Promise<T> {
  const path = fileURLToPath(new URL(file, ROOT));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', path, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', MASTRA_TELEMETRY_DISABLED: '1', LANGSMITH_TRACING: 'false' },
    timeout: LONGEST_MS,
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (errors += piece.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const last = output.trim().split('\n').at(-1) ?? '';
  if (code !== 0 || !last.startsWith('{')) throw new Error(`${file} ended with ${code}: ${errors.slice(-2000)}`);
  return JSON.parse(last) as T;
}
