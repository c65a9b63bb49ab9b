/** `${resources.web_port}` in a command is the port that was leased to this workspace. */
export function filled(command: string, resources: Readonly<Record<string, string>> = {}): string {
  return command.replace(/\$\{resources\.([\w-]+)\}/g, (whole, name: string) =>
    Object.hasOwn(resources, name) ? (resources[name] ?? whole) : whole,
  );
}
