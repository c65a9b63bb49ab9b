/** One line of a log (PH8): the fields of the document first, with its names. Fields are added, never renamed. */
export interface LogLine {
  /** ISO 8601, UTC, to the millisecond. */
  readonly timestamp: string;
  readonly level: LogLevel;
  /** The agent it is about, by its name in the workflow; null for what the engine does. */
  readonly agent_id: string | null;
  /** The run that a person started; a child's lines bear it too. */
  readonly workflow_id: string;
  readonly event: string;
  readonly tool: string | null;
  /** As the agent named it. */
  readonly file: string | null;
  /** Time at work. */
  readonly duration_ms: number | null;
  readonly status: LogStatus;
  /** The run whose record it tells of, and that record's number: both together name a line. */
  readonly run: string;
  readonly seq: number;
  /** Which line of the record, where it has several; from 1. */
  readonly part?: number;
  readonly state?: string;
  readonly task?: string;
  readonly unit?: string;
  readonly workflow?: string;
  readonly model?: string;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  /** Part of the input. */
  readonly cache_read_tokens?: number;
  readonly cache_write_tokens?: number;
  readonly cost_usd?: number | null;
  /** How long a person was waited for, and how long the run stood still meanwhile; absent where it was not. */
  readonly waited_ms?: number;
  readonly paused_ms?: number;
  /** Of a failure: what people look up, and what it says. */
  readonly code?: string;
  readonly message?: string;
}

export type LogLevel = 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';

/** `started`, `success`, or how else it came out. */
export type LogStatus =
  | 'started'
  | 'success'
  | 'waiting'
  | 'retrying'
  | 'refused'
  | 'stopped'
  | 'partial'
  | 'blocked'
  | 'failed'
  | 'timeout'
  | 'quota'
  | 'crashed'
  | 'cancelled'
  | 'skipped';
