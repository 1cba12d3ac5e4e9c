extension SQLiteMigration {
    /// Bits of a handshake's finite-field Diffie-Hellman prime; null for every other key exchange.
    static let exchangedSchema = """
        ALTER TABLE observation ADD COLUMN dh_bits INTEGER;

        """
}
