/** Strokes on a ground of 16 by 16. */
const PATHS = {
  overview: 'M2.5 2.5h4.5v6H2.5zM9 2.5h4.5v3.5H9zM9 8.5h4.5v5H9zM2.5 11h4.5v2.5H2.5z',
  playground: 'M2.5 3h11v8h-6l-3 2.5V11h-2zM5 6h6M5 8.5h4',
  models: 'M8 1.8l5.5 3v6.4L8 14.2l-5.5-3V4.8zM2.6 4.9L8 8l5.4-3.1M8 8v6',
  routes: 'M2.5 4h4l3 8h4M2.5 12h4l1-2.7M8.7 6.6L9.5 4h4M11.8 2.2L13.6 4l-1.8 1.8M11.8 10.2l1.8 1.8-1.8 1.8',
  usage: 'M2.5 13.5h11M4 11V7M7 11V3.5M10 11V6M13 11V9',
  logs: 'M2.5 3.5h11M2.5 6.5h11M2.5 9.5h7M2.5 12.5h9',
  connect: 'M6 3v3M10 3v3M4 6h8v2.5a4 4 0 0 1-8 0zM8 12.5V15',
  providers: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01',
  settings:
    'M8 5.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4zM8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3l3.4 3.4',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  plus: 'M8 3v10M3 8h10',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  person: 'M8 2.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4zM2.8 13.8a5.2 5.2 0 0 1 10.4 0',
  help: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM6.2 6.2a1.8 1.8 0 1 1 2.6 1.7c-.5.3-.8.6-.8 1.3M8 11.4h.01',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
  warn: 'M8 2.2l6.2 11H1.8zM8 6.5v3M8 11.4h.01',
  key: 'M10.5 2.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8.4 7.6L2.5 13.5M4.5 11.5l1.8 1.8',
  download: 'M8 2.5v8M4.8 7.5L8 10.7l3.2-3.2M2.5 13.5h11',
} as const;

export type IconName = keyof typeof PATHS;

/** A sign beside words: it says nothing by itself. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="shrink-0"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
