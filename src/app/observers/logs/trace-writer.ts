import { rootRunId, type RunId } from '../../../core/model/ids.ts';
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
import { type ReadRecord, type TreeJournal, TreeReader } from '../../runs/tree-reader.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from '../../../core/model/json.ts';
import { runPlace } from '../../../workspace/run-place.ts';
import { replaceFile } from '../../../lib/replace-file.ts';

/**
 * Remembers what was sent to a collector, in the run's folder: a run that continues in another process continues the same
 * trace, and no span is sent twice.
 */
export class TraceMark {
  readonly parent: TraceParent | null;
  readonly #path: string;
  readonly #sent: Map<string, number>;

  private constructor(path: string, parent: TraceParent | null, sent: Map<string, number>) {
    this.#path = path;
    this.parent = parent;
    this.#sent = sent;
  }

  /** `parent`: of which a new run is a part. One that has begun keeps what it was a part of then. */
  static async open(home: string, root: string, parent: TraceParent | null): Promise<TraceMark> {
    const path = join(runPlace(home, root).base, 'trace.json');
    const kept = await readKept(path);
    if (kept !== null) return new TraceMark(path, kept.parent, kept.sent);
    const mark = new TraceMark(path, parent, new Map());
    if (parent !== null) await mark.markSent([]);
    return mark;
  }

  /** The last record of this run whose spans were sent. */
  sentUpTo(run: string): number {
    return this.#sent.get(run) ?? 0;
  }

  async markSent(parcels: readonly Pick<Parcel, 'run' | 'seq'>[]): Promise<void> {
    for (const { run, seq } of parcels) this.#sent.set(run, Math.max(seq, this.sentUpTo(run)));
    const traceparent = this.parent === null ? null : traceParentText(this.parent);
    const text = `${JSON.stringify({ traceparent, told: Object.fromEntries(this.#sent) })}\n`;
    // If this fails, spans are sent again: a duplicate is harmless, a missing one is not.
    await replaceFile(this.#path, text).catch(() => undefined);
  }
}

interface Kept {
  readonly parent: TraceParent | null;
  readonly sent: Map<string, number>;
}

async function readKept(path: string): Promise<Kept | null> {
  try {
    const kept: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (!isJsonObject(kept) || !isJsonObject(kept['told'])) return null;
    const { traceparent, told } = kept;
    const entries = Object.entries(told).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
    return { parent: parseTraceParent(typeof traceparent === 'string' ? traceparent : ''), sent: new Map(entries) };
  } catch {
    return null;
  }
}

export interface TraceWriterOptions extends Pick<ExporterOptions, 'tell' | 'pace'> {
  readonly home: string;
  readonly journal: TreeJournal;
  readonly environment: Environment;
  readonly version: string;
}

/** Null if no traces are configured, and, with a warning, if the environment's settings are invalid. */
export function openTraceWriter(options: TraceWriterOptions): TraceWriter | null {
  if (!wantsTelemetry(options.environment)) return null;
  const settings = telemetrySettings(options.environment);
  if (typeof settings !== 'string') return new TraceWriter(options, settings);
  options.tell(`no traces are sent: ${settings}`);
  return null;
}

/** Sends the spans of this process's runs to a collector (U9), with those that an earlier process could not send. */
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
    if (event.kind === 'record') this.#follow(rootRunId(event.run));
  }

  /** Only for runs that are followed here: looking at a run sends nothing. */
  touched(run: RunId): void {
    if (this.#runs.has(rootRunId(run))) this.#follow(rootRunId(run));
  }

  async close(): Promise<void> {
    for (const root of this.#runs.keys()) this.#follow(root as RunId);
    await this.#busy;
    await this.#exporter.close();
  }

  /** Sends new spans, one run after the other, since a fold needs its records in order. */
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
        // Traces are optional; others report a journal that cannot be read.
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
      const isNew = spans.length > 0 && !isInherited && record.seq > mark.sentUpTo(run);
      // The parent trace may not be sampled.
      if (isNew && mark.parent?.isSampled !== false) this.#exporter.add({ root, run, seq: record.seq, spans });
    }
  }

  async #mark(parcels: readonly Parcel[]): Promise<void> {
    for (const root of new Set(parcels.map((parcel) => parcel.root))) {
      await this.#runs.get(root)?.mark.markSent(parcels.filter((parcel) => parcel.root === root));
    }
  }
}

interface Tracing {
  readonly reader: TreeReader;
  readonly fold: TraceFold;
  readonly mark: TraceMark;
}
