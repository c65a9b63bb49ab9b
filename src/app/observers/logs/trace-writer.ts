import type { RunId } from '../../../core/model/ids.ts';
import type { LiveEvent } from '../../../host/port.ts';
import { type ExporterOptions, type Parcel, SpanExporter } from '../../../telemetry/span-exporter.ts';
import { traceIdOf } from '../../../telemetry/span.ts';
import {
  type Environment,
  parseTraceParent,
  telemetrySettings,
  type TelemetrySettings,
  type TraceParent,
  traceParentText,
  wantsTelemetry,
} from '../../../telemetry/telemetry-settings.ts';
import { TraceFold } from '../../../telemetry/run-spans.ts';
import { rootRun } from '../../runs/root-run.ts';
import { type ReadRecord, type TreeJournal, TreeReader } from '../../runs/tree-reader.ts';
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isJsonObject } from '../../../core/model/json.ts';
import { makeFolder } from '../../../lib/make-folder.ts';
import { runPlace } from '../../../workspace/run-place.ts';

/**
 * What a collector knows of a run, kept beside it: a run that goes on in another process goes on in the same trace, and what
 * was told is not told again.
 */
export class TraceMark {
  readonly parent: TraceParent | null;
  readonly #path: string;
  readonly #told: Map<string, number>;

  private constructor(path: string, parent: TraceParent | null, told: Map<string, number>) {
    this.#path = path;
    this.parent = parent;
    this.#told = told;
  }

  /** `parent`: of which a new run is a part. One that has begun keeps what it was a part of then. */
  static async open(home: string, root: string, parent: TraceParent | null): Promise<TraceMark> {
    const path = join(runPlace(home, root).base, 'trace.json');
    const kept = await readKept(path);
    if (kept !== null) return new TraceMark(path, kept.parent, kept.told);
    const mark = new TraceMark(path, parent, new Map());
    if (parent !== null) await mark.told([]);
    return mark;
  }

  /** The last record of which this run's spans were told. */
  toldOf(run: string): number {
    return this.#told.get(run) ?? 0;
  }

  async told(parcels: readonly Pick<Parcel, 'run' | 'seq'>[]): Promise<void> {
    for (const { run, seq } of parcels) this.#told.set(run, Math.max(seq, this.toldOf(run)));
    const traceparent = this.parent === null ? null : traceParentText(this.parent);
    const text = `${JSON.stringify({ traceparent, told: Object.fromEntries(this.#told) })}\n`;
    // Not told at all would be told again: that harms nobody.
    await replaceFile(this.#path, text).catch(() => undefined);
  }
}

interface Kept {
  readonly parent: TraceParent | null;
  readonly told: Map<string, number>;
}

async function readKept(path: string): Promise<Kept | null> {
  try {
    const kept: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (!isJsonObject(kept) || !isJsonObject(kept['told'])) return null;
    const { traceparent, told } = kept;
    const entries = Object.entries(told).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
    return { parent: parseTraceParent(typeof traceparent === 'string' ? traceparent : ''), told: new Map(entries) };
  } catch {
    return null;
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    makeFolder(dirname(path), 0o700);
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

export interface TraceWriterOptions extends Pick<ExporterOptions, 'tell' | 'pace'> {
  readonly home: string;
  readonly journal: TreeJournal;
  readonly environment: Environment;
  readonly version: string;
}

/** Null where nobody wants traces, and, after a word about it, where the environment's settings cannot be followed. */
export function openTraceWriter(options: TraceWriterOptions): TraceWriter | null {
  if (!wantsTelemetry(options.environment)) return null;
  const settings = telemetrySettings(options.environment);
  if (typeof settings !== 'string') return new TraceWriter(options, settings);
  options.tell(`no traces are sent: ${settings}`);
  return null;
}

/** Tells a collector what the runs of this process do (U9). What an earlier process could not tell is told now. */
class TraceWriter {
  readonly #options: TraceWriterOptions;
  readonly #settings: TelemetrySettings;
  readonly #exporter: SpanExporter;
  readonly #runs = new Map<string, Tracing>();
  /** Those that will be read soon. */
  readonly #due = new Set<RunId>();
  #busy: Promise<void> = Promise.resolve();

  constructor(options: TraceWriterOptions, settings: TelemetrySettings) {
    const { tell, pace = {}, version } = options;
    this.#options = options;
    this.#settings = settings;
    const resource = { attributes: { ...settings.resource, 'service.version': version }, version };
    this.#exporter = new SpanExporter({ settings, resource, tell, pace, onDone: (parcels) => this.#mark(parcels) });
  }

  heard(event: LiveEvent): void {
    if (event.kind === 'record') this.#follow(rootRun(event.run));
  }

  /** Only of what is followed here: a run that somebody looks at is not told anew. */
  touched(run: RunId): void {
    if (this.#runs.has(rootRun(run))) this.#follow(rootRun(run));
  }

  async close(): Promise<void> {
    for (const root of this.#runs.keys()) this.#follow(root as RunId);
    await this.#busy;
    await this.#exporter.close();
  }

  /** Whatever is new. One after the other: a fold hears its records in order. */
  #follow(root: RunId): void {
    if (this.#due.has(root)) return;
    this.#due.add(root);
    this.#busy = this.#busy.then(async () => {
      this.#due.delete(root);
      try {
        const tracing = this.#runs.get(root) ?? (await this.#open(root));
        this.#runs.set(root, tracing);
        this.#tell(root, tracing, await tracing.reader.readOn());
      } catch {
        // Traces are for looking at; a journal that cannot be read is told by those who need it.
      }
    });
  }

  async #open(root: RunId): Promise<Tracing> {
    const { home, journal } = this.#options;
    const mark = await TraceMark.open(home, root, this.#settings.parent);
    const { parent } = mark;
    const { hasContent } = this.#settings;
    const ids = { traceId: parent?.traceId ?? traceIdOf(root), parentSpanId: parent?.spanId ?? null };
    return { mark, reader: new TreeReader(journal, root), fold: new TraceFold({ ...ids, hasContent }) };
  }

  #tell(root: string, { fold, mark }: Tracing, records: readonly ReadRecord[]): void {
    for (const { run, record, isInherited } of records) {
      const spans = fold.take(run, record);
      const isNew = spans.length > 0 && !isInherited && record.seq > mark.toldOf(run);
      // Whoever began the trace may not want it.
      if (isNew && mark.parent?.isSampled !== false) this.#exporter.add({ root, run, seq: record.seq, spans });
    }
  }

  async #mark(parcels: readonly Parcel[]): Promise<void> {
    for (const root of new Set(parcels.map((parcel) => parcel.root))) {
      await this.#runs.get(root)?.mark.told(parcels.filter((parcel) => parcel.root === root));
    }
  }
}

interface Tracing {
  readonly reader: TreeReader;
  readonly fold: TraceFold;
  readonly mark: TraceMark;
}
