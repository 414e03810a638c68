/** The page as a program of its own: whether it is, and the browser's offer to make it one. */

/** What a browser says when it would install the page; not every browser does. */
interface Offer extends Event {
  prompt(): Promise<void>;
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

class Installing {
  isInstalled = $state(matchMedia('(display-mode: standalone)').matches || isOnHomeScreen());
  #offer = $state.raw<Offer | null>(null);

  /** The browser may offer it at any time; it is taken up in the settings, where it is explained. */
  start(): void {
    addEventListener('beforeinstallprompt', (event) => {
      event.preventDefault();
      this.#offer = event as Offer;
    });
    addEventListener('appinstalled', () => {
      this.isInstalled = true;
      this.#offer = null;
    });
  }

  get isOffered(): boolean {
    return this.#offer !== null;
  }

  /** On Apple's telephones and tablets one installs by hand, and only then are there notifications. */
  get isApple(): boolean {
    return /iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.platform === 'MacIntel' && navigator.maxTouchPoints > 1);
  }

  /** Let the browser ask; it offers once. */
  async accept(): Promise<void> {
    const offer = this.#offer;
    this.#offer = null;
    await offer?.prompt();
  }
}

function isOnHomeScreen(): boolean {
  return (navigator as { standalone?: boolean }).standalone === true;
}

export const installing = new Installing();
