import { expect, test } from 'vitest';
import { modelSettings, readModelSettings } from './codex-setup.ts';

const OWN = `
# mine
model = "o9"   # the good one
model_provider = 'house'
notify = ["touch", "/tmp/x"]
sandbox_mode = "danger-full-access"

[model_providers.house]
name = "House"
base_url = "https://models.house.test/v1"
env_key = "HOUSE_KEY"

[mcp_servers.other]
command = "touch"
env = { SECRET = "s" }

[projects."/home/me/p"]
trust_level = "trusted"
`;

test('which model and where goes along; what starts programs and what gives rights does not', () => {
  const settings = modelSettings(OWN);
  expect(settings.top.split('\n')).toEqual(['model = "o9"   # the good one', "model_provider = 'house'"]);
  expect(settings.tables).toBe(
    '[model_providers.house]\nname = "House"\nbase_url = "https://models.house.test/v1"\nenv_key = "HOUSE_KEY"',
  );
  expect(settings.variables).toEqual(['HOUSE_KEY']);
});

test('no settings are none', async () => {
  expect(await readModelSettings('/nowhere/config.toml')).toEqual({ top: '', tables: '', variables: [] });
});
