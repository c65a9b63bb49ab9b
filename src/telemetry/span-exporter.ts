import { setTimeout as delay } from 'node:timers/promises';
import { type Resource, sendSpans, type Sent } from './send-spans.ts';
import type { Span } from './span.ts';
import type { TelemetrySettings } from './telemetry-settings.ts';

/** The spans that one record ended. A parcel is sent whole, so that one number says how far a run was exported. */
export interface Parcel {
  readonly root: string;
  readonly run: string;
  readonly seq: number;
  readonly spans: readonly Span[];
}

export interface ExporterOptions {
  readonly settings: TelemetrySettings;
  readonly resource: Resource;
  /** Called once if traces do not arrive; no run is stopped by that. */
  readonly tell: (sentence: string) => void;
  /** These need not be sent again. */
  readonly onDone?: (parcels: readonly Parcel[]) => Promise<void>;
  readonly pace?: Partial<Pace>;
}

export interface Pace {
  /** How long spans are collected. */
  readonly everyMs: number;
  /** How many spans fit in a request, and how many may wait. */
  readonly batch: number;
  readonly mostWaiting: number;
  /** How long the first try after a failure waits; each further one twice as long, up to the longest. */
  readonly againMs: number;
  readonly longestMs: number;
  /** How long the exit of the process may wait for the rest. */
  readonly closeMs: number;
}

const PACE: Pace = { everyMs: 1000, batch: 512, mostWaiting: 4096, againMs: 1000, longestMs: 30_000, closeMs: 2000 };

/**
 * Sends spans to a collector in the background, in the order in which they ended. A slow or missing collector costs at most
 * some memory and a moment at exit; spans beyond the limit are dropped.
 */
export class SpanExporter {
  readonly #options: ExporterOptions;
  readonly #pace: Pace;
  readonly #stop = new AbortController();
  #waiting: Parcel[] = [];
  #size = 0;
  #failures = 0;
  #timer: NodeJS.Timeout | null = null;
  #busy: Promise<void> | null = null;
  /** Why the last request has to be repeated. */
  #trouble: string | null = null;
  #hasComplained = false;

  constructor(options: ExporterOptions) {
    this.#options = options;
    this.#pace = { ...PACE, ...options.pace };
  }

  add(parcel: Parcel): void {
    if (this.#size + parcel.spans.length > this.#pace.mostWaiting) {
      this.#complain('it takes them too slowly');
      return;
    }
    this.#waiting.push(parcel);
    this.#size += parcel.spans.length;
    this.#plan(this.#pace.everyMs);
  }

  /** Tries once more to send the rest, for as long as the exit may wait. */
  async close(): Promise<void> {
    this.#cancelTimer();
    const late = new AbortController();
    const patience = delay(this.#pace.closeMs, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([this.#drain(), patience]);
    late.abort();
    this.#stop.abort();
    this.#cancelTimer();
    if (this.#size > 0) this.#complain(this.#trouble ?? 'it did not answer in time');
  }

  async #drain(): Promise<void> {
    await this.#busy;
    this.#cancelTimer();
    if (this.#size > 0) await this.#begin();
  }

  #plan(ms: number): void {
    if (this.#timer !== null || this.#busy !== null || this.#stop.signal.aborted) return;
    this.#timer = setTimeout(() => void this.#begin(), ms);
    // The code that ends the process closes the exporter.
    this.#timer.unref();
  }

  #cancelTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #begin(): Promise<void> {
    this.#timer = null;
    this.#busy = this.#sendAll();
    await this.#busy;
  }

  /** Until nothing waits, or the collector asks for a pause. */
  async #sendAll(): Promise<void> {
    let pause: number | null = null;
    while (this.#size > 0 && pause === null && !this.#stop.signal.aborted) pause = await this.#sendNext();
    this.#busy = null;
    if (pause !== null) this.#plan(pause);
  }

  async #sendNext(): Promise<number | null> {
    const parcels = this.#nextBatch();
    const spans = parcels.flatMap((parcel) => parcel.spans);
    const sent = await sendSpans(spans, { ...this.#options, signal: this.#stop.signal });
    if (sent.kind === 'later') return this.#later(sent);
    this.#failures = 0;
    this.#trouble = null;
    this.#waiting = this.#waiting.slice(parcels.length);
    this.#size -= spans.length;
    if (sent.kind === 'refused') this.#complain(sent.why);
    await this.#options.onDone?.(parcels);
    return null;
  }

  #nextBatch(): readonly Parcel[] {
    let count = 0;
    const end = this.#waiting.findIndex(({ spans }) => {
      count += spans.length;
      return count > this.#pace.batch;
    });
    return this.#waiting.slice(0, end < 0 ? undefined : Math.max(1, end));
  }

  #later({ why, afterMs }: Extract<Sent, { readonly kind: 'later' }>): number {
    this.#failures += 1;
    this.#trouble = why;
    if (this.#failures >= PATIENT_TRIES && !this.#stop.signal.aborted) this.#complain(why);
    const { againMs, longestMs } = this.#pace;
    const full = againMs * 2 ** (this.#failures - 1);
    return Math.min(longestMs, Math.max(afterMs ?? 0, full * (0.5 + Math.random() / 2)));
  }

  #complain(why: string): void {
    if (this.#hasComplained) return;
    this.#hasComplained = true;
    const { host } = new URL(this.#options.settings.url);
    this.#options.tell(`traces do not all arrive at ${host}: ${why}; the run is not affected`);
  }
}

/** Short restarts of a collector are not reported. */
const PATIENT_TRIES = 3;
