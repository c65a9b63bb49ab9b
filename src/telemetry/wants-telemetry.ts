export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the user wants traces at all; asked before anything that has to do with them is loaded. */
export function wantsTelemetry(environment: Environment): boolean {
  const set = isSettingGiven(environment);
  const exporters = (set('OTEL_TRACES_EXPORTER') ?? 'otlp').split(',').map((name) => name.trim());
  if (isTrue(set('OTEL_SDK_DISABLED')) || !exporters.includes('otlp')) return false;
  return set('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') !== undefined || set('OTEL_EXPORTER_OTLP_ENDPOINT') !== undefined;
}

export type Given = (name: string) => string | undefined;

/** Set to nothing is not set, as the specification has it. */
export const isSettingGiven =
  (environment: Environment): Given =>
  (name) => {
    const value = environment[name]?.trim();
    return value === '' ? undefined : value;
  };

export const isTrue = (text: string | undefined): boolean => text?.toLowerCase() === 'true';
