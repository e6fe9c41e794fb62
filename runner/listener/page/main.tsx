import type { JSX } from 'preact';
import { render } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { Copyable } from '../../../reports/formats/html/page/copyable.tsx';
import { shown } from '../../../reports/formats/html/page/shown.ts';
import { amount, grouped } from '../../../reports/text/amount.ts';
import type { PageGreeting } from '../pageData.ts';
import { AnswerBar } from './answerBar.tsx';
import { ask } from './api.ts';
import { DeliveryView } from './deliveryView.tsx';
import { useKeys } from './keys.ts';
import { type Live, useLive } from './live.ts';
import { NotificationList } from './notificationList.tsx';
import { type ListedNotification, notificationsOf } from './notifications.ts';
import './style/page.css';

function Page({ greeting }: { greeting: PageGreeting }): JSX.Element {
  const live = useLive();
  const [search, changeSearch] = useState('');
  const [paused, pause] = useState(false);
  const [lasting, changeLasting] = useState(false);
  const [url, changeUrl] = useState(greeting.forward ?? '');
  const [selected, select] = useSelected();
  const field = useRef<HTMLInputElement>(null);
  const current = useMemo(() => notificationsOf(live.deliveries.values(), search), [live, search]);
  const notifications = useFrozen(current, paused);
  const choose = (name: string): void => void ask('answer', { name, lasting });
  useKeys({
    notifications,
    selected,
    select,
    search: () => field.current?.focus(),
    pause: () => pause((before) => !before),
    answer: (key) => {
      const answer = greeting.answers.find((each) => each.key === key);
      if (answer) choose(answer.name);
    },
  });
  const listed = selected === undefined ? undefined : live.deliveries.get(selected);
  const attempts = [...live.deliveries.values()].filter(({ group }) => group === listed?.group);
  const isEmpty = live.news !== undefined && live.deliveries.size === 0;
  return (
    <>
      <Head greeting={greeting} live={live} paused={paused} />
      <main class={listed ? 'open' : ''}>
        {isEmpty ? (
          <Empty greeting={greeting} hadSome={(live.news?.totals.deliveries ?? 0) > 0} />
        ) : (
          <div class="catch">
            <div class="bar">
              <input
                ref={field}
                type="search"
                aria-label="Search"
                placeholder="Search: event, id, finding, status  ( / )"
                value={search}
                onInput={(event) => changeSearch(event.currentTarget.value)}
              />
              <button type="button" aria-pressed={paused} onClick={() => pause(!paused)}>
                {paused ? 'Go on' : 'Pause'}
              </button>
              <button type="button" onClick={() => void ask('clear', {})}>
                Clear
              </button>
            </div>
            <NotificationList notifications={notifications} selected={selected} onSelect={select} />
            {notifications.length === 0 && live.news && <p class="note">Nothing that came matches the search.</p>}
          </div>
        )}
        <aside>
          {live.news && (
            <AnswerBar
              answers={greeting.answers}
              next={live.news.next}
              usual={live.news.usual}
              lasting={lasting}
              onLasting={changeLasting}
              onChoose={choose}
            />
          )}
          {listed ? (
            <DeliveryView
              key={listed.group}
              {...{ listed, attempts, greeting, url }}
              onUrl={changeUrl}
              onSelect={select}
              onClose={() => select(undefined)}
            />
          ) : (
            !isEmpty && <Hints />
          )}
        </aside>
      </main>
    </>
  );
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
