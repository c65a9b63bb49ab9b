import { readFileSync } from 'node:fs';

/** A job is a process of its own: settings come in as JSON on the command line, figures go out as one line of JSON. */
export function settings(): unknown {
  return JSON.parse(process.argv[2] ?? '{}');
}

export function report(figures: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`\n${JSON.stringify(figures)}\n`);
}

/** The most memory this process ever had, in megabytes. */
export function peakMemoryMb(): number {
  return process.resourceUsage().maxRSS / 1024;
}

/** Bytes that this process handed to the system for writing, where the system tells. */
export function writtenBytes(): number | null {
  try {
    return Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? Number.NaN);
  } catch {
    return null;
  }
}
