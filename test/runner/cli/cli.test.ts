import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runCli, type Ended } from '../runCli.ts';
import { runHere } from '../runHere.ts';

let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-cli-'));
});

afterAll(() => rm(cwd, { recursive: true }));

function cli(...words: string[]): Promise<Ended> {
  return runHere(words, cwd, { PATH: process.env['PATH'] ?? '' });
}

describe('help', () => {
  it('lists the commands that exist', async () => {
    const { code, stdout, stderr } = await cli('--help');
    expect(stdout).toMatchInlineSnapshot(`
      "Usage: seaworthy [options] [command]

      Contract tests and conformance reports for webhooks.

      Options:
        -V, --version                    show the version
        -h, --help                       show this help

      Commands:
        receiver [options] [url]         test a webhook receiver against the contract
        service [options] [base-url]     test a service implementation against the
                                         contract
        fuzz [options] [url]             search for sequences that break a receiver or
                                         a service
        replay [options] [file...]       try saved failures of earlier runs again
        report [options] [journal...]    render, merge or compare earlier runs
        show-report [options] [journal]  open the HTML report of the newest run
        requirements [options] [id]      the requirement catalogue: the checks that
                                         prove each, the faults that break it
        explain [options] [id]           what a requirement, check, gap, error code or
                                         exit code means
        contract                         check, draft and show contracts: what
                                         --contract names
        trigger [options] [url] [event]  send one notification to a receiver, signed
        listen [options]                 catch deliveries, check each against the
                                         contract, show them
        sandbox [options]                a tracking service on this machine, to
                                         develop a receiver against
        mock [options]                   a static mock of the service, and a receiver
                                         that validates
        proxy [options] [base-url]       a proxy in front of a service that shows what
                                         breaks the contract
        demo                             run both suites against the reference
                                         implementations, with and without a mistake
        init [options]                   write seaworthy.config.ts, and a test file or
                                         a CI workflow, for the project in this
                                         directory

      seaworthy help <command> explains a command and its options.
      "
    `);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('explains the receiver command', async () => {
    const { code, stdout, stderr } = await cli('receiver', '--help');
    expect(stdout).toMatchInlineSnapshot(`
      "Usage: seaworthy receiver [options] [url]

      Sends signed notifications to a webhook receiver, valid and hostile ones.
      Reports for each requirement of the contract whether it holds, and shows the
      smallest case of each failure.

      Arguments:
        url                         where the receiver takes notifications (may stand
                                    in the config file)

      Target:
        --secret <secret>           the webhook secret that the receiver verifies
                                    with; repeat it for rotation: each must be
                                    accepted. Without it the signature checks are not
                                    observable (repeatable; or SEAWORTHY_SECRET;
                                    default: none)
        --probe <url or command>    counts how often a notification took effect: a URL
                                    with {id} (or its path at the receiver) that
                                    answers {"count": n}, or a shell command that
                                    reads ids and prints "<id> <count>" lines. Without
                                    it the effect checks are not observable (default:
                                    none)
        --events <pattern,...>      the events that the receiver subscribes to
                                    (repeatable; default: all)
        --header <name: value>      a custom header that the webhook is configured
                                    with; $SEAWORTHY_HEADER_<NAME> stands for its
                                    value in everything that is printed or saved
                                    (repeatable; default: none)
        --start <command>           shell command that runs the target; the kit starts
                                    it, and may kill, pause and restart it. Without
                                    --start or --image, the crash and outage checks
                                    are not observable (default: none)
        --image <ref>               like --start, with a container of this image;
                                    needs --port and a container engine. The address
                                    of the target is then a path (default: none)
        --port <n>                  the port that the target listens on inside its
                                    container (default: none)
        --env <NAME=value>          a variable for the environment of the target that
                                    --start or --image runs; what is printed or saved
                                    shows $NAME for a value that may be secret
                                    (repeatable; default: none)
        --secret-env <NAME>         the environment variable from which the receiver
                                    takes its secret, if --start or --image runs it:
                                    the kit sets it to the first --secret, and then
                                    starts the receiver once without it and once with
                                    an empty one. Without it that is not observable
                                    (default: none)
        --published <address,...>   the sender addresses that the receiver lets in:
                                    the kit sends from the first one, and from other
                                    loopback addresses it sends what must be refused.
                                    Without it the source checks are not observable
                                    (repeatable; default: none)
        --api-listen <host:port>    where the kit acts as the service's API (it
                                    accepts any key); configure the receiver with this
                                    address. The kit then sees the receiver recover
                                    from an outage, and read the sender addresses
                                    (default: none)
        --recover <url or command>  starts the recovery from an outage, if the
                                    receiver does not recover by itself: a URL that
                                    gets a POST, or a shell command; needs
                                    --api-listen (default: none)
        --ca <file>                 trust the certificates in this PEM file
        --insecure                  trust any certificate
        --allow-remote              send to an address that is neither loopback nor
                                    private
        --reset <command>           shell command that brings the target back to a
                                    clean state; it runs before anything else
                                    (default: none)

      Reports:
        --report <format[=path]>    write a report in this format: terminal, json,
                                    html, junit, markdown, prompt, sarif, github,
                                    badge, journal; without a path to standard output
                                    (repeatable; default: terminal, and github inside
                                    GitHub Actions)
        --keep-runs <n>             how many runs stay in .seaworthy/runs; older ones
                                    are removed with their failed cases when a run
                                    ends (default: 20)

      Selection:
        --only <pattern>            run only these checks, by check id or requirement
                                    id: IDM-*, receiver/signature/* (repeatable;
                                    default: all)
        --skip <pattern>            skip these checks, by check id or requirement id
                                    (repeatable; default: none)
        --require <pattern>         requirements that must be observed: one that
                                    neither holds nor is broken at the end fails the
                                    run (repeatable; default: none)
        --expect-failures <file>    a JSON or YAML list of known failures ({id,
                                    reason, expires?, link?}; id: a requirement or a
                                    check). A listed failure does not fail the run; an
                                    entry that passes, was not tested, has expired or
                                    names nothing does (default: none)
        --shard <i>/<n>             run this part of the checks, for several machines
                                    side by side: 1/3, 2/3 and 3/3, each with the same
                                    --seed. seaworthy report merges their journals
                                    (default: the whole)
        --resume <file>             go on with a run that was interrupted or killed:
                                    its journal. What it settled is kept, and the rest
                                    runs; give the options of that run again (default:
                                    none)
        --list                      show the checks that would run, and send nothing
        --last-failed               run only the checks that failed or warned in the
                                    newest run of this directory that judged any

      Cases:
        --intensity <level>         how many cases each property tries: quick,
                                    standard, thorough (default: standard)
        --seed <n>                  repeat the cases of an earlier run (default:
                                    random, always printed)
        --time <duration>           end the run within this time; one case of each
                                    kind of every check comes first, and what is left
                                    out is reported (default: 2m at quick, 5m at
                                    standard, 20m at thorough; 5m more where the kit
                                    starts the target)
        --bail                      stop at the first failure

      Pace:
        --concurrency <n>           deliveries in flight at most (default: what the
                                    target can take, from 1 to 64)
        --rate <n/s>                deliveries per second at most (default: no limit)
        --timeout <duration>        how long to wait for the answer to a delivery
                                    (default: the assumption delivery.timeout)
        --max-answer <size>         how much of one answer is read; one that goes on
                                    counts as one without an end (default: 16MiB)
        --settle <duration>         how long to wait before an absence counts (no
                                    effect, no second effect), once for all checks
                                    (default: the larger of 1s and 5 times the slowest
                                    effect seen; 10s at most for one that waited in a
                                    queue)

      Contract:
        --strict                    a broken SHOULD counts like a broken MUST
        --contract <name|file>      whose webhooks they are: tracking, github, stripe,
                                    standard-webhooks, shopify, slack, or your own
                                    contract.yaml (default: tracking)
        --openapi <file>            the OpenAPI document of the events, in place of
                                    the one that the contract names (default: what the
                                    contract names)
        --assume <key=value>        change the assumption that fills a gap of the
                                    contract; seaworthy requirements --assumptions
                                    lists them (repeatable; default: the table of
                                    assumptions)

      Configuration:
        --config <file>             the config file (default: seaworthy.config.ts,
                                    .js, .json, .yaml or the like, from here up to the
                                    root of the repository)
        --safe                      run nothing that a config file names, for a file
                                    that somebody else wrote: one that is code, that
                                    names a command, an image or a variable for one,
                                    or that has something written outside its folder,
                                    is an error

      Options:
        -h, --help                  show this help

      Examples:
        seaworthy receiver http://localhost:3000/hooks --secret s3cret --probe 'http://localhost:3000/effects/{id}'
            everything that a URL can show
        seaworthy receiver http://localhost:3000/hooks --only 'VRF-*' --seed 42
            the signature checks, with the cases of an earlier run
        seaworthy receiver http://localhost:3000/hooks --report terminal --report junit=junit.xml
            for people and for CI

      Exit codes:
        0    at least one check ran, and no MUST is broken that was not expected to be
        1    a MUST is broken (or a SHOULD, under --strict), the target died of a
             case, an entry of --expect-failures does not hold, or a requirement of
             --require was not observed
        2    the command was used wrongly, or a report could not be written
        3    it could not be tested: unreachable, lost, unreadable, or nothing
             observable
        70   a bug of seaworthy itself
        130  interrupted; the reports of what ran are complete
      "
    `);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('explains the requirements command', async () => {
    const { stdout } = await cli('requirements', '--help');
    expect(stdout).toMatchInlineSnapshot(`
      "Usage: seaworthy requirements [options] [id]

      Shows every requirement of the contract with its level, its section, the checks
      that prove it, and the faults that the checks are tested with.

      Arguments:
        id                      the requirements of this id, * for any characters:
                                VRF-*. Default: all

      Contract:
        --contract <name|file>  whose webhooks they are: tracking, github, stripe,
                                standard-webhooks, shopify, slack, or your own
                                contract.yaml (default: tracking)
        --openapi <file>        the OpenAPI document of the events, in place of the
                                one that the contract names (default: what the
                                contract names)
        --assumptions           show what the kit assumes where the contract is
                                silent, and how to change it

      Reports:
        --json                  as JSON

      Options:
        -h, --help              show this help

      Examples:
        seaworthy requirements
            the catalogue
        seaworthy requirements 'VRF-*'
            those about signatures
        seaworthy requirements --assumptions
            the gaps of the contract and what fills them

      Exit codes:
        0    shown
        2    the command was used wrongly
      "
    `);
  });

  it.each([
    ['--help'],
    ['receiver', '--help'],
    ['service', '--help'],
    ['requirements', '--help'],
    ['sandbox', '--help'],
    ['mock', '--help'],
    ['proxy', '--help'],
    ['demo', '--help'],
  ])('is readable at 80 columns: %s %s', async (...words) => {
    const { stdout } = await runHere(words, cwd);
    const wide = stdout.split('\n').filter((line) => line.length > 80 && !line.startsWith('  seaworthy '));
    expect(stdout).not.toBe('');
    expect(wide).toEqual([]);
  });

  it('goes to standard error where no command is given, which is a wrong use', async () => {
    const { code, stdout, stderr } = await cli();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: seaworthy');
  });

  it('shows the version', async () => {
    expect((await runCli(['--version'], { cwd })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    ['version', '--version'],
    ['-v', '--version'],
    ['help', '--help'],
    ['help help', '--help'],
    ['help trigger', 'trigger --help'],
    ['help contract', 'contract --help'],
    ['help contract check', 'contract check --help'],
  ])('has a word beside the flag: %s', async (word, flag) => {
    const [asked, meant] = await Promise.all([word, flag].map((words) => runHere(words.split(' '), cwd)));
    expect(asked).toEqual(meant);
    expect(asked).toMatchObject({ code: 0, stderr: '' });
  });
});

/** Nothing listens there; no word may be sent before these are found wrong. */
const target = 'http://127.0.0.1:9/hooks';

describe('a wrong use', () => {
  it.each([
    { words: ['--secrt=s3cretword'], says: "unknown option '--secrt'" },
    { words: ["--tokn=s3cretword'\n=x"], says: "unknown option '--tokn'" },
    { words: ['--header', 'Authorization: Token', 's3cretword'], says: 'Expected 1 argument but got 2\n' },
  ])('shows no word that may be secret and stands at the wrong place: $words', async ({ words, says }) => {
    const { code, stderr } = await cli('receiver', target, ...words);
    expect(code).toBe(2);
    expect(stderr).toContain(says);
    expect(stderr).not.toContain('s3cret');
  });

  it.each([
    { words: ['recieve'], code: 'SW_COMMAND_UNKNOWN', says: 'did you mean "receiver"?' },
    { words: ['help', 'recieve'], code: 'SW_COMMAND_UNKNOWN', says: 'did you mean "receiver"?' },
    { words: ['recieve', '--help'], code: 'SW_COMMAND_UNKNOWN', says: 'did you mean "receiver"?' },
    { words: ['--help', 'serve'], code: 'SW_COMMAND_UNKNOWN', says: 'did you mean "service"' },
    { words: ['nonsense', '-h'], code: 'SW_COMMAND_UNKNOWN', says: "unknown command 'nonsense'" },
    { words: ['bogus', target, '--version'], code: 'SW_COMMAND_UNKNOWN', says: 'seaworthy --help lists the commands' },
    { words: ['receiver'], code: 'SW_ARGUMENT_MISSING', says: 'was given no URL' },
    { words: ['receiver', 'a', 'b'], code: 'SW_ARGUMENT_EXCESS', says: 'too many arguments' },
    {
      words: ['receiver', target, '--start', 'npm', 'start'],
      code: 'SW_ARGUMENT_EXCESS',
      says: "in quotes: --start '",
    },
    { words: ['fuzz', 'receiver', target], code: 'SW_ARGUMENT_EXCESS', says: 'seaworthy fuzz <url>, and a service' },
    { words: ['listen', target], code: 'SW_ARGUMENT_EXCESS', says: '--forward <url>. ' },
    { words: ['receiver', target, '--format', 'json'], code: 'SW_OPTION_UNKNOWN', says: 'called --report <format' },
    { words: ['service', target, '--api-key', 'x'], code: 'SW_OPTION_UNKNOWN', says: 'called --token <key> here' },
    { words: ['receiver', target, '--grep', 'x'], code: 'SW_OPTION_UNKNOWN', says: 'called --only <pattern> here' },
    { words: ['receiver', target, '--bail=yes'], code: 'SW_OPTION_VALUE', says: '--bail was given a value\n' },
    { words: ['receiver', target, '--fail-fast'], code: 'SW_OPTION_UNKNOWN', says: 'called --bail here' },
    { words: ['contract', 'show', 'stripe', 'a'], code: 'SW_ARGUMENT_EXCESS', says: 'give --event <name>' },
    { words: ['receiver', target, '--secret', ''], code: 'SW_OPTION_VALUE', says: '--secret is empty\n' },
    { words: ['receiver', target, '--only', 'VRF'], code: 'SW_PATTERN_UNMATCHED', says: 'did you mean "VRF-*"?' },
    {
      words: ['receiver', target, '--only', 'signature'],
      code: 'SW_PATTERN_UNMATCHED',
      says: '"receiver/signature/*"',
    },
    { words: ['receiver', target, '--events', 'conteiner.*'], code: 'SW_PATTERN_UNMATCHED', says: '"container.*"?' },
    {
      words: ['receiver', target, '--openapi', 'package.json'],
      code: 'SW_CONTRACT_INVALID',
      says: 'give another document',
    },
    { words: ['receiver', 'http://localhost:300000/'], code: 'SW_URL_INVALID', says: 'with a port of at most 65535\n' },
    { words: ['receiver', '3000'], code: 'SW_URL_INVALID', says: 'did you mean http://localhost:3000?' },
    { words: ['receiver', 'receiver'], code: 'SW_URL_INVALID', says: 'write it like http://localhost:3000/hooks' },
    { words: ['receiver', 'server.js'], code: 'SW_URL_INVALID', says: 'write it like http://localhost:3000/hooks' },
    { words: ['contract', 'init', 'nowhere.yaml'], code: 'SW_DOCUMENT_INVALID', says: 'do:    correct the path\n' },
    {
      words: ['receiver', target, '--intesity', 'quick'],
      code: 'SW_OPTION_UNKNOWN',
      says: 'did you mean --intensity?',
    },
    {
      words: ['contract', 'show', '--contract', 'github'],
      code: 'SW_OPTION_UNKNOWN',
      says: 'give it as the argument: seaworthy contract show <name|file>.',
    },
    {
      words: ['service', target, '--secret', 's3cretword'],
      code: 'SW_OPTION_UNKNOWN',
      says: '--secret is an option of receiver, ',
    },
    { words: ['receiver', target, '--begin', 'x'], code: 'SW_OPTION_UNKNOWN', says: "unknown option '--begin'" },
    { words: ['receiver', target, '--start', 'x', '--image', 'y'], code: 'SW_OPTION_CONFLICT', says: 'both given' },
    { words: ['receiver', target, '--image', 'y', '--port', '80'], code: 'SW_URL_INVALID', says: 'did you mean /' },
    { words: ['replay'], code: 'SW_ARGUMENT_MISSING', says: 'replay was given no file' },
    { words: ['replay', 'nowhere.json'], code: 'SW_CASE_INVALID', says: 'nowhere.json cannot be read' },
    { words: ['replay', 'nowhere.json'], code: 'SW_CASE_INVALID', says: '--keep-runs' },
    { words: ['report', 'nowhere.ndjson'], code: 'SW_JOURNAL_UNREADABLE', says: '--keep-runs' },
    {
      words: ['receiver', target, '--config', '.'],
      code: 'SW_CONFIG_MISSING',
      says: 'correct the path after --config',
    },
    {
      words: ['explain', 'SW_PROB'],
      code: 'SW_ID_UNKNOWN',
      says: 'did you mean "SW_PROBE_INVALID" or "SW_PROBE_UNUSABLE"',
    },
    { words: ['receiver', target, '--seed'], code: 'SW_OPTION_VALUE', says: "'--seed <n>' argument missing" },
    { words: ['receiver', target, '--seed', '-1'], code: 'SW_OPTION_VALUE', says: 'from 0 to 4294967295' },
    { words: ['receiver', 'localhost:80/a'], code: 'SW_URL_INVALID', says: 'did you mean http://localhost:80/a?' },
    { words: ['receiver', '/hooks'], code: 'SW_URL_INVALID', says: 'do:    write it like http://' },
    { words: ['receiver', target, '--time', '5'], code: 'SW_OPTION_VALUE', says: 'a duration of a second or more' },
    { words: ['receiver', 'http://192.0.2.1/'], code: 'SW_TARGET_REMOTE', says: 'do:    test a copy nearby, or add' },
    {
      words: ['receiver', 'http://locahost.invalid/'],
      code: 'SW_TARGET_REMOTE',
      says: 'do:    correct the name, test a',
    },
    { words: ['receiver', target, '--probe', 'http://192.0.2.1/{id}'], code: 'SW_TARGET_REMOTE', says: '192.0.2.1' },
    { words: ['receiver', target, '--probe', 'http://127.0.0.1/'], code: 'SW_PROBE_INVALID', says: 'holds no {id}\n' },
    { words: ['receiver', target, '--published', 'here'], code: 'SW_OPTION_VALUE', says: 'IP addresses with commas' },
    {
      words: ['receiver', target, '--published', '192.0.2.1'],
      code: 'SW_ADDRESS_FOREIGN',
      says: process.platform === 'linux' ? 'ip addr add 192.0.2.1' : 'lo0 alias 192.0.2.1',
    },
    { words: ['receiver', target, '--recover', 'true'], code: 'SW_OPTION_CONFLICT', says: 'without --api-listen' },
    { words: ['receiver', target, '--only', 'NOPE-*'], code: 'SW_PATTERN_UNMATCHED', says: '--only NOPE-*' },
    { words: ['receiver', target, '--events', 'nope'], code: 'SW_PATTERN_UNMATCHED', says: '--events nope' },
    { words: ['receiver', target, '--skip', '*'], code: 'SW_NOTHING_SELECTED', says: 'takes away everything' },
    {
      words: ['receiver', target, '--report', 'pdf'],
      code: 'SW_REPORT_FORMAT',
      says: 'terminal, json, html, junit',
    },
    { words: ['receiver', target, '--report', 'json', '--report', 'junit'], code: 'SW_REPORT_STDOUT', says: '=<path>' },
    { words: ['receiver', target, '--report', 'json=/proc/x/y'], code: 'SW_REPORT_WRITE', says: '/proc/x/y' },
    { words: ['receiver', target, '--report', 'json=/dev/null/x'], code: 'SW_REPORT_WRITE', says: '/dev/null/x' },
    { words: ['receiver', target, '--report', 'journal=/dev/null/x'], code: 'SW_REPORT_WRITE', says: 'the journal' },
    {
      words: ['receiver', target, '--assume', 'signature.heder=X'],
      code: 'SW_ASSUMPTION_INVALID',
      says: '"signature.header"',
    },
    { words: ['receiver', target, '--assume', 'signature.scheme=md5'], code: 'SW_ASSUMPTION_INVALID', says: 'hmac-' },
    { words: ['receiver', target, '--ca', 'no.pem'], code: 'SW_FILE_UNREADABLE', says: '--ca no.pem' },
    { words: ['receiver', target, '--config', 'no.json'], code: 'SW_CONFIG_MISSING', says: 'no.json' },
    { words: ['requirements', 'x', 'y'], code: 'SW_ARGUMENT_EXCESS', says: 'seaworthy requirements --help' },
    { words: ['requirements', 'VRF-33'], code: 'SW_ID_UNKNOWN', says: 'did you mean "VRF-3"' },
  ])('exits with 2: $words', async ({ words, code, says }) => {
    const ended = await runHere(words, cwd);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(`code:  ${code}\n`);
    expect(ended.stderr).toContain(says);
  });

  it('says what was received, what is valid and what to do', async () => {
    const { code, stdout, stderr } = await cli('receiver', target, '--intensity', 'extreme');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatchInlineSnapshot(`
      "seaworthy: --intensity cannot be "extreme"
        valid: quick, standard, thorough
        do:    give it such a value, or leave it out
        code:  SW_OPTION_VALUE
      "
    `);
  });

  it('refuses a bad config file by its name', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'seaworthy-cli-'));
    await writeFile(join(directory, 'seaworthy.config.yaml'), 'concurency: 4\n');
    const { code, stderr } = await runHere(['receiver', target], directory);
    await rm(directory, { recursive: true });
    expect(code).toBe(2);
    expect(stderr).toContain('seaworthy.config.yaml: there is no key "concurency"');
    expect(stderr).toContain('did you mean "concurrency"?');
  });
});

describe('--list', () => {
  it('shows the checks that would run, and needs no target', async () => {
    const { code, stdout } = await cli('receiver', '--list', '--only', 'IDM-3', '--only', 'VRF-4');
    expect(stdout).toMatchInlineSnapshot(`
      "receiver/idempotency/concurrent-copies
        lets a notification take effect once when its redeliveries arrive at the same
        time
        IDM-3; needs --probe

      receiver/signature/malformed
        refuses a missing, empty, truncated or garbled signature
        VRF-2, VRF-4, ROB-1; needs --secret

      receiver/signature/refusal
        refuses with a 4xx status and without a word about the expected signature
        VRF-4, VRF-2, ROB-1; needs --secret

      3 checks; nothing was sent.
      "
    `);
    expect(code).toBe(0);
  });
});

describe('a config file in TypeScript', () => {
  it('is taken without a warning, whatever kind of package it stands in', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'seaworthy-cli-'));
    await writeFile(join(directory, 'package.json'), '{}');
    await writeFile(join(directory, 'seaworthy.config.ts'), `export default { only: 'IDM-3' as string };\n`);
    const { stdout, stderr } = await runCli(['receiver', '--list'], { cwd: directory });
    await rm(directory, { recursive: true });
    expect(stderr).toBe(`Config file: ${join(await realpath(tmpdir()), basename(directory), 'seaworthy.config.ts')}\n`);
    expect(stdout).toContain('1 check; nothing was sent.');
  });
});

describe('requirements', () => {
  it('has a row for each requirement, receivers first', async () => {
    const { code, stdout } = await cli('requirements');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Receivers: 22 requirements\n\nRCV-1 {2}MUST {2}section 4\.4, 6\n/);
    expect(stdout).toContain('faults: verifies-reserialised-json');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('shows those of an id only, where one is given', async () => {
    const { stdout } = await cli('requirements', 'idm-*');
    expect(stdout.match(/^[A-Z]{3}-\d+/gm)).toEqual(['IDM-1', 'IDM-2', 'IDM-3', 'IDM-4', 'IDM-5']);
  });

  it('is JSON on demand', async () => {
    const rows = JSON.parse((await cli('requirements', '--json')).stdout) as {
      id: string;
      checks: string[];
      faults: string[];
    }[];
    const row = rows.find(({ id }) => id === 'VRF-3');
    expect(row).toMatchObject({ subject: 'receiver', level: 'must', section: '5.2' });
    expect(row?.checks).toContain('receiver/signature/changed-after-signing');
    expect(row?.faults).not.toEqual([]);
  });

  it('shows what proves requirements of services, too', async () => {
    const { stdout } = await cli('requirements', '--json');
    const rows = JSON.parse(stdout) as { id: string; checks: string[]; faults: string[] }[];
    const row = rows.find(({ id }) => id === 'SIG-1');
    expect(row?.checks).toContain('service/signature/every-attempt');
    expect(row?.faults).toContain('signs-no-retry');
  });

  it('shows the assumptions', async () => {
    const { stdout } = await cli('requirements', '--assumptions');
    expect(stdout).toContain('signature.scheme  GAP-14\n');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const rows = JSON.parse((await cli('requirements', '--assumptions', '--json')).stdout) as { key: string }[];
    expect(rows.map(({ key }) => key)).toContain('delivery.timeout');
  });
});

describe('an untestable target', () => {
  it('exits with 3 where nothing listens, and says what to do', async () => {
    const { code, stdout } = await cli('receiver', target);
    expect(code).toBe(3);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('cannot be reached');
  });

  it('exits with 3 where the reset fails, with its output, before anything is sent', async () => {
    const { code, stdout, stderr } = await cli('receiver', target, '--reset', 'echo no such table; exit 4');
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatchInlineSnapshot(`
      "seaworthy: --reset echo no such table; exit 4: it exited with 4:
          no such table
        valid: a command that leaves the target clean and exits with 0
        do:    run it by hand to see what is wrong; nothing was sent to the target
        code:  SW_RESET_FAILED
      "
    `);
  });

  it('leaves a journal in either case', async () => {
    const names = await readdir(join(cwd, '.seaworthy', 'runs'));
    const texts = await Promise.all(names.map((name) => readFile(join(cwd, '.seaworthy', 'runs', name), 'utf8')));
    expect(texts).toHaveLength(1);
    expect(texts[0]).toMatch(/^\{"type":"run\.started"/);
  });
});
