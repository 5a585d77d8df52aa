// Argon2
