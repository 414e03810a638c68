/** Every text of the page is in a catalogue beside the screen that shows it, in French and in English. */

export type Language = 'fr' | 'en';
/** A text, or one by number: `one` for a single thing, `other` for the rest. `{name}` is filled in. */
export type Text = string | { one: string; other: string };
export type Parts = Record<string, string | number | null | undefined>;
type Texts = Record<string, Text>;

const spoken = $state<{ language: Language }>({ language: 'fr' });

export function language(): Language {
  return spoken.language;
}

export function speak(wanted: Language): void {
  spoken.language = wanted;
  document.documentElement.lang = wanted;
}

/** A catalogue has the same keys in both languages; the compiler says when it has not. */
export function catalogue<const F extends Texts>(texts: { fr: F; en: { [K in keyof F]: Text } }) {
  return (key: keyof F & string, parts: Parts = {}): string =>
    filled((spoken.language === 'fr' ? texts.fr : texts.en)[key] as Text, parts);
}

/** The sentence of a game or of the house with its parts filled in; `n` decides between one and many. */
export function filled(text: Text, parts: Parts): string {
  const sentence = typeof text === 'string' ? text : text[plural(Number(parts.n ?? 0))];
  const isFrench = spoken.language === 'fr';
  return (isFrench ? typeset(sentence) : sentence).replace(/(\bde |\bque )?\{(\w+)\}/gi, (whole, before: string | undefined, name: string) => {
    const part = parts[name];
    if (part === undefined || part === null) return whole;
    const text = typeof part === 'number' ? number(part) : part;
    if (!before) return text;
    return (isFrench && VOWEL.test(text) ? `${before.slice(0, -2)}’` : before) + text;
  });
}

/** « d’Allemagne », « d’Alice »; but « de A PAR ». */
const VOWEL = /^[aeiouàâäéèêëîïôöùûüœæ]\p{L}/iu;

/** French as it is printed: no line ends before `: ; ! ? »` or after `«`. Catalogues are written with plain spaces. */
function typeset(french: string): string {
  return french.replace(/ (?=[:;!?»])|(?<=«) /g, '\u00a0');
}

function plural(n: number): 'one' | 'other' {
  return new Intl.PluralRules(locale()).select(n) === 'one' ? 'one' : 'other';
}

/** Between a name and what is said of it. */
export function colon(): string {
  return spoken.language === 'fr' ? '\u00a0: ' : ': ';
}

export function locale(): string {
  return spoken.language === 'fr' ? 'fr-FR' : 'en-GB';
}

export function number(value: number): string {
  return value.toLocaleString(locale());
}

const LONG_DATE = { day: 'numeric', month: 'long', year: 'numeric' } as const;

export function date(at: number): string {
  return new Date(at).toLocaleDateString(locale(), LONG_DATE);
}

/** A day that the house names by its first instant, the same day everywhere. */
export function day(at: number): string {
  return new Date(at).toLocaleDateString(locale(), { ...LONG_DATE, timeZone: 'UTC' });
}

export function moment(at: number): string {
  const then = new Date(at);
  const today = then.toDateString() === new Date().toDateString();
  const clock = then.toLocaleTimeString(locale(), { hour: '2-digit', minute: '2-digit' });
  return today ? clock : `${then.toLocaleDateString(locale(), { day: 'numeric', month: 'short' })} ${clock}`;
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000_000], ['month', 2_592_000_000], ['day', 86_400_000], ['hour', 3_600_000], ['minute', 60_000],
];

/** « il y a 3 minutes », in words. */
export function ago(at: number, now: number): string {
  const words = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
  for (const [unit, length] of STEPS) {
    if (Math.abs(now - at) >= length) return words.format(Math.round((at - now) / length), unit);
  }
  return spoken.language === 'fr' ? 'à l’instant' : 'just now';
}

/** « 2 jours 5 heures »: how long something lasts, in words, by its two longest units. */
export function lasting(milliseconds: number): string {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000));
  const parts: [string, number][] = [
    ['day', Math.floor(minutes / 1440)], ['hour', Math.floor(minutes / 60) % 24], ['minute', minutes % 60],
  ];
  const first = parts.findIndex(([, n]) => n > 0);
  return parts
    .slice(first, first + 2)
    .filter(([, n]) => n > 0)
    .map(([unit, n]) => new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(n))
    .join(' ');
}

/** 75,000 ms are « 1:15 »; below ten seconds tenths are shown if asked for. What has no end is a dash. */
export function duration(milliseconds: number, tenths = false): string {
  if (!Number.isFinite(milliseconds)) return '–';
  const left = Math.max(0, milliseconds);
  const seconds = Math.floor(left / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const end = tenths && seconds < 10 ? `.${Math.floor(left / 100) % 10}` : '';
  const minutes = h ? `${h}:${String(m).padStart(2, '0')}` : String(m);
  return `${minutes}:${String(s).padStart(2, '0')}${end}`;
}
