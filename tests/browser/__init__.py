"""Tests in a real browser: a package, so that one browser and one house last while its tests follow on."""
