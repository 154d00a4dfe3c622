import { type Greeting, greetingJson, greetingText } from './greeting.ts';

/** What a gateway reports while it serves, in the order of events. */
export type News =
  | { event: 'serving'; greeting: Greeting }
  | { event: 'reloaded'; notices: readonly string[]; needRestart: readonly string[] }
  | { event: 'reload_refused'; reason: string }
  | { event: 'stopping'; signal: string; drainMs: number }
  | { event: 'stopped' };

/** For people. */
export function newsText(news: News): string {
  switch (news.event) {
    case 'serving':
      return greetingText(news.greeting);
    case 'reloaded': {
      const notes = news.notices.map((notice) => `\n  ${notice}`).join('');
      const later =
        news.needRestart.length === 0 ? '' : `\n  ${news.needRestart.join(', ')}: take effect after a restart.`;
      return `The configuration was reloaded.${notes}${later}`;
    }
    case 'reload_refused':
      return `The configuration was not reloaded. The previous one stays in force.\n${news.reason}`;
    case 'stopping':
      return `${news.signal}: no new calls are accepted; open calls may end (at most ${news.drainMs / 1000} s).`;
    case 'stopped':
      return 'Stopped.';
    default:
      return news satisfies never;
  }
}

/** For programs: one JSON object per line. */
export function newsJson(news: News): Record<string, unknown> {
  const { event } = news;
  switch (event) {
    case 'serving':
      return { event, ...greetingJson(news.greeting) };
    case 'reloaded':
      return { event, notices: news.notices, need_restart: news.needRestart };
    case 'reload_refused':
      return { event, message: news.reason };
    case 'stopping':
      return { event, signal: news.signal, drain_ms: news.drainMs };
    case 'stopped':
      return { event };
    default:
      return news satisfies never;
  }
}
