import { type JSX, type RefObject, render } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { Copyable } from '../../../reports/formats/html/page/copyable.tsx';
import { shown } from '../../../reports/formats/html/page/section.tsx';
import { amount, grouped } from '../../../reports/text/amount.ts';
import type { ListedDelivery, PageGreeting } from '../pageData.ts';
import { AnswerBar } from './answerBar.tsx';
import { ask, type Live, useLive } from './api.ts';
import { DeliveryView } from './deliveryView.tsx';
import { type ListedNotification, NotificationList, notificationsOf } from './notificationList.tsx';
import './style/page.css';

/** What is looked at, and how. */
interface View {
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly paused: boolean;
  readonly onPause: () => void;
  readonly selected: number | undefined;
  readonly onSelect: (number: number | undefined) => void;
  readonly notifications: readonly ListedNotification[];
}

function Page({ greeting }: { greeting: PageGreeting }): JSX.Element {
  const live = useLive();
  const [lasting, onLasting] = useState(false);
  const onChoose = (name: string): void => void ask('answer', { name, lasting });
  const view = useView(live);
  useKeys({
    ...view,
    select: view.onSelect,
    search: () => view.field.current?.focus(),
    pause: view.onPause,
    answer: (pressed) => {
      const answer = greeting.answers.find(({ key }) => key === pressed);
      if (answer) onChoose(answer.name);
    },
  });
  const isEmpty = live.news !== undefined && live.deliveries.size === 0;
  const listed = view.selected === undefined ? undefined : live.deliveries.get(view.selected);
  return (
    <>
      <Head greeting={greeting} live={live} paused={view.paused} />
      <main class={listed ? 'open' : ''}>
        {isEmpty ? (
          <Empty greeting={greeting} hadSome={(live.news?.totals.deliveries ?? 0) > 0} />
        ) : (
          <Catch {...view} />
        )}
        <aside>
          {live.news && <AnswerBar {...live.news} {...{ answers: greeting.answers, lasting, onLasting, onChoose }} />}
          {listed && <Opened key={listed.group} {...{ listed, live, greeting }} onSelect={view.onSelect} />}
          {!listed && !isEmpty && <Hints />}
        </aside>
      </main>
    </>
  );
}

function useView(live: Live): View {
  const [search, onSearch] = useState('');
  const [paused, pause] = useState(false);
  const [selected, onSelect] = useSelected();
  const field = useRef<HTMLInputElement>(null);
  const current = useMemo(() => notificationsOf(live.deliveries.values(), search), [live, search]);
  const notifications = useFrozen(current, paused);
  const onPause = (): void => pause((before) => !before);
  return { search, onSearch, field, paused, onPause, selected, onSelect, notifications };
}

/** The list, and what is done with it. */
function Catch({ search, onSearch, field, paused, onPause, selected, onSelect, notifications }: View): JSX.Element {
  return (
    <div class="catch">
      <div class="bar">
        <input
          ref={field}
          type="search"
          aria-label="Search"
          placeholder="Search: event, id, finding, status  ( / )"
          value={search}
          onInput={(event) => onSearch(event.currentTarget.value)}
        />
        <button type="button" aria-pressed={paused} onClick={onPause}>
          {paused ? 'Go on' : 'Pause'}
        </button>
        <button type="button" onClick={() => void ask('clear', {})}>
          Clear
        </button>
      </div>
      <NotificationList notifications={notifications} selected={selected} onSelect={onSelect} />
      {notifications.length === 0 && search !== '' && <p class="note">Nothing that came matches the search.</p>}
    </div>
  );
}

/** The receiver to which deliveries are sent again stays from one to the next. */
let resentTo: string | undefined;

function Opened({
  listed,
  live,
  greeting,
  onSelect,
}: Pick<View, 'onSelect'> & { listed: ListedDelivery; live: Live; greeting: PageGreeting }): JSX.Element {
  const [url, change] = useState(resentTo ?? greeting.forward ?? '');
  const onUrl = (text: string): void => {
    resentTo = text;
    change(text);
  };
  const attempts = [...live.deliveries.values()].filter(({ group }) => group === listed.group);
  const onClose = (): void => onSelect(undefined);
  return <DeliveryView {...{ listed, attempts, greeting, url, onUrl, onSelect, onClose }} />;
}

function Head({ greeting, live, paused }: { greeting: PageGreeting; live: Live; paused: boolean }): JSX.Element {
  const { title, address, secrets, forward } = greeting;
  const { totals } = live.news ?? {};
  const state = live.connected ? (paused ? 'paused' : 'live') : live.news ? 'lost' : 'connecting';
  return (
    <header class="head">
      <div class="line">
        <h1>
          <span class={`state ${state}`} aria-hidden="true" /> {shown(title)}
        </h1>
        <p role="status">{stateWords[state]}</p>
        {totals && totals.deliveries > 0 && (
          <p class="totals">
            {amount(totals.deliveries, 'delivery', 'deliveries')} of {amount(totals.notifications, 'notification')},{' '}
            <b class={totals.wrong > 0 ? 'bad' : 'good'}>
              {totals.wrong === 0 ? 'none wrong' : `${grouped(totals.wrong)} wrong`}
            </b>
            {totals.forgotten > 0 && `; the newest ${grouped(live.deliveries.size)} are kept`}
          </p>
        )}
      </div>
      <div class="places">
        <Place name="Address" text={address} />
        {secrets.map((secret, place) => (
          <Place key={place} name={place === 0 ? 'Secret' : `Secret ${place + 1}`} text={secret} />
        ))}
        {forward !== undefined && <Place name="Forwarded to" text={forward} />}
      </div>
    </header>
  );
}

const stateWords = {
  live: 'Live',
  paused: 'Paused: what comes is kept, and shown when you go on',
  connecting: 'Connecting…',
  lost: 'The listener has ended, or cannot be reached',
} as const;

function Place({ name, text }: { name: string; text: string }): JSX.Element {
  return (
    <div class="place">
      <span>{name}</span>
      <Copyable text={text} label={name.toLowerCase()} />
    </div>
  );
}

function Empty({ greeting, hadSome }: { greeting: PageGreeting; hadSome: boolean }): JSX.Element {
  return (
    <section class="empty">
      <h2>{hadSome ? 'All was cleared' : 'Nothing came yet'}</h2>
      <p>
        Give the address above to your service{greeting.secrets.length > 0 && ', with the secret'}. To see what a
        delivery looks like, send a sample from a terminal:
      </p>
      <Copyable text={greeting.sample} label="the command" />
    </section>
  );
}

function Hints(): JSX.Element {
  return (
    <section class="hints">
      <p>Choose a delivery to see all of it.</p>
      <dl>
        <dt>
          <kbd>j</kbd> <kbd>k</kbd>
        </dt>
        <dd>the next, the one before</dd>
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>search</dd>
        <dt>
          <kbd>p</kbd>
        </dt>
        <dd>pause, go on</dd>
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>close</dd>
      </dl>
    </section>
  );
}

/** What was there when it was paused, until it goes on. */
function useFrozen(current: readonly ListedNotification[], paused: boolean): readonly ListedNotification[] {
  const frozen = useRef(current);
  if (!paused) frozen.current = current;
  return frozen.current;
}

/** The delivery that the address names behind its `#`. */
function useSelected(): readonly [number | undefined, (number: number | undefined) => void] {
  const read = (): number | undefined => Number(location.hash.slice(1)) || undefined;
  const [selected, change] = useState(read);
  useEffect(() => {
    const follow = (): void => change(read());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const select = (number: number | undefined): void => {
    history.replaceState(null, '', number === undefined ? location.pathname : `#${number}`);
    change(number);
  };
  return [selected, select];
}

const place = document.querySelector('#page');
const data = document.querySelector('#greeting')?.textContent;
if (place !== null && data) render(<Page greeting={JSON.parse(data) as PageGreeting} />, place);

interface Keyed {
  readonly notifications: readonly ListedNotification[];
  readonly selected: number | undefined;
  readonly select: (number: number | undefined) => void;
  readonly search: () => void;
  readonly pause: () => void;
  /** Called with a key that means nothing else: it may choose an answer. */
  readonly answer: (key: string) => void;
}

/** Does what keys ask for, but where somebody types. */
function useKeys(keyed: Keyed): void {
  const latest = useRef(keyed);
  latest.current = keyed;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const isTyping = event.target instanceof Element && event.target.matches('input:not([type=checkbox]), textarea');
      if (isTyping) {
        if (event.key === 'Escape') (event.target as HTMLElement).blur();
        return;
      }
      if (doKey(event.key, latest.current)) event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** @returns whether the key means something */
function doKey(key: string, { notifications, selected, select, search, pause, answer }: Keyed): boolean {
  const numbers = notifications.map(({ last }) => last.number);
  const at = notifications.findIndex(({ attempts }) => attempts.some(({ number }) => number === selected));
  switch (key) {
    case 'j':
    case 'ArrowDown':
      select(numbers[Math.min(at + 1, numbers.length - 1)] ?? selected);
      return true;
    case 'k':
    case 'ArrowUp':
      select(numbers[Math.max(at - 1, 0)] ?? selected);
      return true;
    case 'Escape':
      select(undefined);
      return true;
    case '/':
      search();
      return true;
    case 'p':
      pause();
      return true;
    default:
      answer(key);
      return false;
  }
}
