/** Longer texts of `troupe help TOPIC`. */
export const HELP_TOPICS: Readonly<Record<string, string>> = {
  'exit-codes': `Exit codes

  0    the run came out ok (or partial, with --allow-partial)
  1    failed, timeout, crashed, partial; or something broke outside the run
  2    bad usage, or a file with errors in it
  3    the run waits for a person, is blocked or paused: troupe answer RUN TEXT, troupe resume RUN
       also a result that is in conflict with your files, did not pass --verify, or was not handed over because a
       check refused it (RESULT_NOT_VERIFIED, RESULT_IN_CONFLICT), at the end of a run too,
       and a rollback that met a conflict: nothing of yours was overwritten
  4    cancelled, or a limit was met: troupe resume RUN --max-usd 5
  130  interrupted; the run is intact: troupe resume RUN

Without a terminal, or with --no-input or --json, nothing is ever asked: the command ends at once with 3 or 4.
`,
  formats: `Output of commands

  stdout carries results: the output of a run, a table, or with --json data and nothing else.
  Every command takes --quiet (only the verdict or the answer, and errors), --verbose (the engine's own steps too; errors
  with their stack), --json and --no-input (never ask: fail with the flag to give instead).
  stderr carries everything meant for reading along: progress, remarks, errors.

  --json prints one object with "kind"; a list is {"kind", "items", "next"}, where "next" is null at the end.
  Events are printed as they happen, one object a line (logs, watch, --follow). run --json prints
    first   {"kind":"run.started","run":…}
    then    every record of the journal as it is written, with "seq" and "at"
            {"kind":"progress.started","run":…,"what":"project"|"workspace"|"setup",…}, then progress.ended or
            progress.failed with "ms", for work around files that takes long; of the project before the first line
    last    {"kind":"run.settled","run":…,"outcome":…,"output":…,"usage":…,"costUsd":…}
  A run that waits for a person ends with {"kind":"run.waiting","status":…,"question":…,"next":[commands]} instead:
  outcome "blocked" with the question, or "quota" with the limit's code in "failure". Several open questions are all
  in "questions".

  With --json an error is one object on stderr: {"kind":"error","code":…,"message":…,"problems":[…],"hint":…}.

  NO_COLOR, FORCE_COLOR, TERM=dumb and CI are honoured.
`,
  config: `Configuration: .troupe/config.yaml

  models:
    base:                       # every level falls back to this one
      provider: openai-compatible   # or openai, anthropic, scripted
      base_url: http://127.0.0.1:11434/v1
      model: qwen3
      api_key_env: MY_KEY       # the name of a variable, never the key itself
      price: { input: 0.5, output: 1.5, cache_read: 0.05, cache_write: 0.6 }   # USD for a million tokens; the cache may be
                                # left out. Without a price the cost is unknown, so there can be no limit in USD
      max_output_tokens: 8000
      window: 128000            # tokens it takes in all; known for most vendors' models
      temperature: 0.2
      effort: high              # how much it thinks: off, low, medium, high, max
      request_timeout: 300      # seconds one call may take
      headers: { X-Team: red }
    smart: { provider: anthropic, model: …, api_key_env: ANTHROPIC_API_KEY, caching: 1h }   # on, off or 1h
    offline: { provider: scripted, scenario: answers.yaml }   # see: troupe help scenarios
  actors:                       # coding agents that are programs; one that is on the path needs no settings
    claude-code: { model: opus, effort: high, idle_minutes: 10, wall_minutes: 60, grace_seconds: 10 }
    codex: { program: /opt/codex/codex, price: { input: 1.25, output: 10 } }
    acp: { mine: { command: [ my-agent, --acp ], env: [ MY_AGENT_KEY ], hosts: [ api.example.org ] } }   # --actor coder=acp:mine
  limits: { max_usd: 5, max_tokens: 500000, max_duration: 3600, max_iterations: 20, max_tool_rounds: 50 }
  retry:                        # how calls are tried again, where a state does not say
    base_ms: 1000               # the wait before the second try; it doubles each time
    max_ms: 60000               # the longest wait
    tries: { rate: 6, server: 4, timeout: 2 }   # in all, by class of failure; 1 means never again. Classes: auth, quota, rate,
                                # overload, server, network, timeout, bad-request, bad-reply, crash, session, config, script,
                                # limit, cancelled, logic
    tool_tries: 3               # in all, for tools that failed for a reason that passes by itself
  workflows: [ more/flows ]     # besides .troupe/workflows
  roles: [ more/roles.json ]    # besides .troupe/roles
  tools: { exclude: [ execute_terminal ] }
  mcp:                          # MCP servers whose tools agents get, as mcp__docs__search
    docs:
      command: [ npx, docs-server ]   # in the sandbox, with network; or url: https://mcp.example.org/
      env: [ DOCS_KEY ]         # names of variables it gets. For a url: api_key_env, headers
      tools: [ search ]         # default: all
      mode: read                # the least mode of a role that gets them: read, commands, write (default)
      timeout_seconds: 20
  ward: [ npm run lint, npm test ]   # what must succeed in a quest; left out: what the project's own files name
  setup: npm ci                 # makes a new workspace ready; in the sandbox, with network. What it makes is reused
  workspaces:                   # see: troupe help files
    ignored: skip               # what git ignores: skip (default), copy, or a list of patterns that come along
    method: overlay             # a layer over one frozen copy, which takes less disk than a copy for each (default: copy)
    max_files: 50000            # a larger project is refused
    max_bytes: 2147483648
    largest_file: 4294967296    # larger files are left out, and named
  resources:                    # beside files; agents that work at the same time get different ones
    web_port: { kind: port, from: 4000, to: 4100 }   # WEB_PORT in commands
    test_db: { kind: name, pattern: 'app_test_{n}', count: 8 }
    build: { kind: folder }
    device: { kind: mutex }     # "holds: [device]" on an agent or a command: only one at a time
  web:
    allow: [ docs.example.org, '*.example.com' ]     # hosts of web_fetch
    search: { url: 'https://search.example.org/?q={query}', kind: searxng }   # or kind: json; headers as above
    # search: { mcp: { command: [ npx, some-server ], tool: search, env: [ SEARCH_KEY ] } }   # or url instead of command
  sandbox: bubblewrap           # or landlock, none, best; see: troupe help sandbox
  readable: [/srv/data]         # further folders that commands may read
  journal: postgres://troupe@db.example.org/troupe   # shared by several machines; also --journal, TROUPE_JOURNAL
  cluster: production                 # a database of another cluster is refused; with --journal: TROUPE_CLUSTER
  store: /mnt/troupe                  # how files reach those machines: a folder they mount, or postgres://…; default: journal
  notify: notify-send "$TROUPE_RUN is $TROUPE_STATUS"

  notify is run when a run settles or asks, with TROUPE_RUN, TROUPE_STATUS, TROUPE_OUTCOME and TROUPE_QUESTION set.
  ~/.config/troupe/config.yaml holds what is the same in all your projects; the project's file wins. What a project's file
  would run or send (setup, notify, agents, MCP servers, models elsewhere, keys) waits until you have seen it and agreed: troupe trust.
  Runs are kept under $TROUPE_HOME, by default ~/.local/state/troupe. A level is overridden with --model base=offline.
  troupe check .troupe/config.yaml names every mistake with its line; troupe schema config is for editors.
`,
  scenarios: `Scenarios: what the scripted model answers

  rules:                        # the first rule that fits and is not used up counts
    - when: { agent: coder, visit: 1, call: 1 }
      reply: { say: The function first., tools: [ { name: write_file, arguments: { path: a.js, content: "1" } } ] }
    - when: { agent: coder }
      reply: Done.              # short for: { say: Done. }
    - when: { contains: /^test/i }
      steps: [ First., Second. ]   # one reply for each round of tool results
      times: 2                  # how often the rule may be used

  when     role, agent, state, model; visit, call (also: turn), attempt as numbers; contains: a text or /regex/ in the
           newest message. Each may be a list. Without "when" a rule always fits.
  a reply  say, think, tools (name, arguments; raw: the arguments as text, whatever it is), delay_ms (waits so long before
           it answers), chunk (characters a piece of the stream), pace_ms (between two pieces), usage (input, output, cache_read,
           cache_write: tokens), finish (done, length, filtered)
  a fault  status: 429 with retry_after (seconds), error and message; overloaded, cut (with say: what comes before), hang,
           malformed, empty: true; stream_error: WORD; bad_arguments: true, text or schema, with tool. times: 2 and
           then: REPLY let it go right the third time.
  window   beside rules: tokens that the model takes; larger requests are refused as a vendor refuses them.

  In texts and arguments \${last} is the newest message and \${step} the step of a quest that the agent was given; \${run},
  \${role}, \${agent}, \${state}, \${visit}, \${call}, \${attempt} and \${model} are what they say.
  A role that owes a structured reply and finds no rule submits the smallest one that fits its schema.
  Use one with provider: scripted in the configuration, or serve it: troupe script-model --scenario FILE.
  troupe check FILE names every mistake with its line, where the configuration names the file.
`,
  files: `Files of a run

  Agents never work in your files. Each run has a workspace: a copy of the project as it was when the run began, work
  that is not committed included. Every change is kept as a snapshot that the journal names.

  troupe diff RUN                       what it changed, as a patch (--stat: as a list; --from STEP, --agent NAME)
  troupe deliver RUN                      as the branch troupe/RUN in git, as a patch elsewhere
  troupe deliver RUN --apply              into your files, merged with what you changed meanwhile
  troupe deliver RUN --verify "npm test"  only if the merged files pass, tried on a copy in the sandbox
  troupe rollback RUN                   files and run as they were; --to STEP, --files, --conversation
  troupe fork RUN --at STEP             a new run from that moment, with its conversations and files
  troupe pause RUN, troupe resume RUN   pause it, continue it
  troupe prune                          remove the files of old runs; what they did stays in the journal

  Each workspace takes as much disk as the project. With workspaces: { method: overlay } only what was changed does,
  beside one frozen copy for all (not as root): troupe help config.

  A run that ends well leaves the branch or the patch by itself; with run --apply it goes into your files.
  A conflict is listed with both sides, nothing of yours is changed, and the exit code is 3. Choose with --ours PATH and
  --theirs PATH, or let git merge the branch.
  Your branch, index, HEAD, settings and hooks are never touched.

  A STEP is the number of a record (troupe logs RUN --json), a state (its last visit), coder#2 (its second), start or end.
`,
  sandbox: `The sandbox for commands

  Commands of agents and workflows, and the setup command, run in a sandbox. troupe doctor tries out which work here.

  bubblewrap  sees only programs, the workspace and what is declared; network off unless the role allows it (the default on Linux)
  landlock    less: reads, writes and TCP are confined; names and modes of files, and UDP, are not
  none        nothing: commands can do all that you can
  best        the strongest that works here, also none

  --sandbox LEVEL, or TROUPE_SANDBOX, or sandbox: LEVEL in ~/.config/troupe/config.yaml. A project can ask for more, not for
  less. What does not work is refused, never replaced by something weaker. show names the one a run had.
  Commands of root have another user id on this machine; where that cannot be done, bubblewrap is refused.
  readable: [FOLDER, …] there lets commands read more; in a project's configuration it needs troupe trust.
`,
  scripts: `Troupe in scripts

  id=$(troupe run build_feature "…" --detach)     # prints the run id, continues in the background
  troupe watch "$id"                              # its exit code is the run's
  troupe show "$id" --json | jq .output
  troupe show "$id" --json | jq .workflow_state.status    # pending, running, success, failed, rollback, failed_final
  troupe artifacts "$id" specs/plan.md > plan.md  # what an agent made, as it was recorded
  troupe messages "$id" --json | jq -c '.items[] | select(.type == "error")'

  troupe run build_feature "…" --json | jq -c 'select(.kind == "run.settled")'
  troupe answer last yes                          # "last" is the newest run of the project; a unique beginning of an id is enough
  troupe logs last --agent coder --follow
  troupe check .troupe/workflows/*.json           # 2 when one has an error

  A scripted model answers without a key or a network, for tests of your own workflows:
  troupe script-model --port 0 --scenario answers.yaml --json
`,
};
